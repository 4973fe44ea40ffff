// eslint-disable-next-line no-control-regex -- matches control characters deliberately
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** Unpaired surrogates. */
const halves = /\p{Surrogate}/gu;
const needsWork = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/;

/**
 * Sanitizes untrusted text for storage: control characters become a space, unpaired surrogates become U+FFFD, and at most `max` UTF-16 units remain, never half
 * a character.
 */
export function cleanText(text: string, max: number): string {
  // Fast path: most texts are short and plain.
  if (text.length <= max && !needsWork.test(text)) return text.trim();
  const plain = text
    .slice(0, max * 2)
    .replace(controls, ' ')
    .trim();
  return cut(plain, max).replace(halves, '\ufffd').trim();
}

/** An incomplete percent-escape, or the escapes of an incomplete UTF-8 character, at the end of a truncated text. */
const halfEscape = /(?:%[CDcd][0-9A-Fa-f]|%[Ee][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f])?|%[Ff][0-7](?:%[89ABab][0-9A-Fa-f]){0,2})?(?:%[0-9A-Fa-f]?)?$/;

/** Truncates a URL to at most `max` UTF-16 units, never within a percent-encoded character. */
export const cutAddress = (text: string, max: number): string => (text.length <= max ? text : cut(text, max).replace(halfEscape, ''));

/** Truncates to at most `max` UTF-16 units, never within a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const next = text.charCodeAt(max);
  const splits = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return text.slice(0, splits ? max - 1 : max);
}
