import { z } from 'zod';
import { fitsPattern } from '../../../../../contract/tables/pattern';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { tableLimits } from '../../../../../contract/tables/terms';
import { refuse } from './valueErrors';

/** PostgreSQL stores no U+0000 and JSON no lone surrogates; other control characters break displays. */
// oxlint-disable-next-line no-control-regex
const unkeepable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;
export const isKeepable = (text: string): boolean => !unkeepable.test(text);

/** Length in code points, not UTF-16 units. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

export function limitedText(raw: unknown): string {
  if (typeof raw !== 'string') return refuse('wrong_type');
  if (raw.length > tableLimits.textBytes || Buffer.byteLength(raw) > tableLimits.textBytes) return refuse('too_long', { max: tableLimits.textBytes });
  return isKeepable(raw) ? raw : refuse('forbidden_characters');
}

/** A text that satisfies the length limits and pattern of its field. Throws `ValueError`. */
export function checkedText(text: string, { minLength, maxLength, pattern, patternMessage }: FieldOptions): string {
  if (maxLength !== undefined && text.length > maxLength && lengthOf(text) > maxLength) return refuse('too_long', { max: maxLength });
  if (minLength !== undefined && lengthOf(text) < minLength) return refuse('too_short', { min: minLength });
  if (pattern !== undefined && !fitsPattern(pattern, text)) return refuse('pattern', patternMessage === undefined ? {} : { message: patternMessage });
  return text;
}

const longestAddress = 2000;
const webAddress = z.url({ protocol: /^https?$/, hostname: /./ });

/** A web, mail or telephone address; never one that executes when opened. */
export function addressOf(text: string): string {
  if (text.length > longestAddress) return refuse('too_long', { max: longestAddress });
  if (/^(?:mailto|tel):\S+$/i.test(text)) return text;
  return !/\s/.test(text) && webAddress.safeParse(text).success ? text : refuse('not_a_url');
}
/** Like `addressOf`, or a path on the site. */
export const fileAddressOf = (text: string): string => (/^\/(?!\/)[^\s\\]*$/.test(text) ? text : addressOf(text));
