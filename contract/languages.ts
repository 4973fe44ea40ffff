/** Chinese is identified by script (BCP 47, RFC 5646 section 2.2.3): people read 简体 or 繁體, whichever country they are in. */
const byScript: ReadonlyMap<string, string> = new Map([
  ['zh-cn', 'zh-Hans'],
  ['zh-tw', 'zh-Hant'],
]);

/** Returns the canonical tag of a language, which is the stored form: `zh-Hans` for `zh-CN`, `zh-Hant` for `zh-TW`. Other tags are returned unchanged. */
export const canonicalLanguage = (tag: string): string => byScript.get(tag.toLowerCase()) ?? tag;
