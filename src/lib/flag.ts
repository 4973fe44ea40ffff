/** Regions that are shown without a flag. */
const withoutFlag: ReadonlySet<string> = new Set(['HK', 'MO', 'TW', 'XX']);

/** The flag of an ISO 3166-1 alpha-2 code as an emoji; null: none is shown. */
export const flagOf = (code: string): string | null =>
  /^[A-Z]{2}$/.test(code) && !withoutFlag.has(code) ? String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.charCodeAt(0))) : null;
