// eslint-disable-next-line no-control-regex -- these are exactly what has to go
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
/** Halves of surrogate pairs without their other half. */
const halves = /\p{Surrogate}/gu;
const needsWork = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/;

/**
 * Text from outside made safe to keep: control characters become a space, lone surrogates become U+FFFD, and at most
 * `max` UTF-16 units stay, never half a character.
 */
export function cleanText(text: string, max: number): string {
  // Most texts are short and plain.
  if (text.length <= max && !needsWork.test(text)) return text.trim();
  const plain = text
    .slice(0, max * 2)
    .replace(controls, ' ')
    .trim();
  return cut(plain, max).replace(halves, '\ufffd').trim();
}

/** An escape, or the escapes of one character, that a cut has left without their end. */
const halfEscape = /(?:%[CDcd][0-9A-Fa-f]|%[Ee][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f])?|%[Ff][0-7](?:%[89ABab][0-9A-Fa-f]){0,2})?(?:%[0-9A-Fa-f]?)?$/;

/** An address of at most `max` UTF-16 units, never ending in a part of an escaped character. */
export const cutAddress = (text: string, max: number): string => (text.length <= max ? text : cut(text, max).replace(halfEscape, ''));

/** At most `max` UTF-16 units, never ending in half a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const next = text.charCodeAt(max);
  const splits = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return text.slice(0, splits ? max - 1 : max);
}
