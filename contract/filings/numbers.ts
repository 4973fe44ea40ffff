import { provinceCharacters, provinceOfCharacter, provinceOfDigits } from './provinces';

/**
 * Numbers of filings: 京ICP备12345678号-1 (ICP), 京ICP证030173号 and 浙B2-20080101-4 (license for paid services), 京公网安备11010502030143号 (public security). Apps, mini programs and quick
 * apps have numbers of ICP with the suffixes -2A, -3X and -4K.
 */
export const numberKinds = ['icp', 'license', 'mps'] as const;
export type NumberKind = (typeof numberKinds)[number];

/** Problems that the form refuses. */
export const numberErrors = ['icp_format', 'icp_needs_site_suffix', 'mps_format', 'mps_digits'] as const;
/** Problems that are only pointed out: the number may be right all the same. */
export const numberWarnings = ['icp_suffix_in_guangdong', 'license_format', 'mps_province_mismatch'] as const;
export type NumberError = (typeof numberErrors)[number];
export type NumberWarning = (typeof numberWarnings)[number];

export type CheckedNumber = {
  /** As it is stored and displayed. */
  readonly number: string;
  /** ISO 3166-2:CN without `CN-`; null: not known from the number. */
  readonly province: string | null;
  readonly error: NumberError | null;
  readonly warnings: readonly NumberWarning[];
};

/** One of each kind, for the reader to compare with. */
export const numberExamples: Readonly<Record<NumberKind, string>> = {
  icp: '京ICP备12345678号-1',
  license: '京ICP证030173号',
  mps: '京公网安备11010502030143号',
};

const P = `[${provinceCharacters}]`;
const suffix = String.raw`(?:-[1-9]\d{0,4}[AXK]?)?`;
const icp = new RegExp(`^(${P})ICP备(?:\\d{8}|\\d{10})号(-[1-9]\\d{0,4}[AXK]?)?$`);
const license = new RegExp(`^(?:(${P})|合字)?(?:ICP证\\d{6}号|B2-\\d{8})${suffix}$`);
const mps = new RegExp(`^(${P})公网安备(\\d{14})号$`);

/** Characters that look the same, or that input methods and other scripts write instead. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2043\u2212\u30FC\uFE58\uFE63]/g, '-'],
  [/備/g, '备'],
  [/號/g, '号'],
  [/[証證]/g, '证'],
  [/網/g, '网'],
  // Spaces, and characters without width that are copied from pages.
  [/[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/g, ''],
];

/** The form in which numbers are compared and stored: half-width digits, simplified characters, no spaces, upper case. */
export const normalizeNumber = (text: string): string =>
  replacements
    .reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text.normalize('NFKC'))
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    .normalize('NFKC');

const isGuangdong = (character: string): boolean => provinceOfCharacter(character) === 'GD';

function checkIcp(number: string): Omit<CheckedNumber, 'number'> {
  const [, character = '', site] = icp.exec(number) ?? [];
  if (character === '') return { province: null, error: 'icp_format', warnings: [] };
  const province = provinceOfCharacter(character);
  if (site === undefined && !isGuangdong(character)) return { province, error: 'icp_needs_site_suffix', warnings: [] };
  return { province, error: null, warnings: site !== undefined && isGuangdong(character) ? ['icp_suffix_in_guangdong'] : [] };
}

function checkLicense(number: string): Omit<CheckedNumber, 'number'> {
  const match = license.exec(number);
  const character = match?.[1] ?? '';
  return { province: character === '' ? null : provinceOfCharacter(character), error: null, warnings: match === null ? ['license_format'] : [] };
}

function checkMps(number: string): Omit<CheckedNumber, 'number'> {
  const [, character = '', digits = ''] = mps.exec(number) ?? [];
  if (character === '') return { province: null, error: /公网安备\d+号$/.test(number) ? 'mps_digits' : 'mps_format', warnings: [] };
  const province = provinceOfCharacter(character);
  return { province, error: null, warnings: provinceOfDigits(digits) === province ? [] : ['mps_province_mismatch'] };
}

const checks = { icp: checkIcp, license: checkLicense, mps: checkMps } as const;

/** Normalizes and checks a number of a kind. */
export function checkNumber(kind: NumberKind, text: string): CheckedNumber {
  const number = normalizeNumber(text);
  return { number, ...checks[kind](number) };
}

/**
 * The number as pages have to show it: sites in Guangdong show the number of the subject, without the suffix of the site; all other provinces that of the site. Apps show theirs everywhere.
 */
export function displayedNumber(number: string): string {
  const [, character = '', site = ''] = icp.exec(number) ?? [];
  return isGuangdong(character) && /^-\d+$/.test(site) ? number.slice(0, -site.length) : number;
}

/** Where the number of a filing leads to (the registers ask for these links). */
export const registerLinks = { icp: 'https://beian.miit.gov.cn/', mps: 'https://beian.mps.gov.cn/#/query/webSearch?code=' } as const;
export const registerLink = (kind: NumberKind, number: string): string =>
  kind === 'mps' ? `${registerLinks.mps}${/\d{14}/.exec(number)?.[0] ?? ''}` : registerLinks.icp;

export type FoundNumber = { readonly kind: NumberKind; readonly number: string };

const entities: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  ndash: '-',
  mdash: '-',
  minus: '-',
  hyphen: '-',
  shy: '',
};
const codePoint = (code: number): string => (code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '');
/** Text of HTML, roughly: good enough to find numbers, which contain no tags of their own but may be divided by them. */
const textOf = (html: string): string =>
  html
    // A comment without an end hides the rest, as in browsers.
    .replace(/<!--(?:[^]*?-->|[^]*$)/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&#x([\da-f]{1,6});/gi, (_, hex: string) => codePoint(Number.parseInt(hex, 16)))
    .replace(/&#(\d{1,7});/g, (_, decimal: string) => codePoint(Number(decimal)))
    .replace(/&([a-z]+);/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole);

/** Between the characters of numbers that are divided by spaces there is one at most; two numbers without anything between them remain two. */
const findable = new RegExp(
  `(${P}ICP备(?:\\d{10}|\\d{8})号${suffix})|(${P}公网安备\\d{14}号)|((?:${P}|合字)?ICP证\\d{6}号${suffix}|(?:${P}|合字)B2-\\d{8}${suffix})`,
  'g',
);

/** All numbers in a pasted footer (text or HTML), each once, in their order. */
export function findNumbers(text: string): FoundNumber[] {
  const found = new Map<string, FoundNumber>();
  for (const [number, filed, security] of normalizeNumber(textOf(text)).matchAll(findable)) {
    const kind = filed !== undefined ? 'icp' : security !== undefined ? 'mps' : 'license';
    if (!found.has(number)) found.set(number, { kind, number });
  }
  return [...found.values()];
}
