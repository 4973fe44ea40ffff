import { z } from 'zod';
import { fitsPattern } from '../../../../../contract/tables/pattern';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import type { FieldType } from '../../../../../contract/tables/terms';
import { tableLimits } from '../../../../../contract/tables/terms';
import { refuse } from './faults';
import { cleanHtml } from './richText';

type TextType = 'text' | 'longText' | 'markdown' | 'richText' | 'email' | 'url' | 'phone' | 'slug' | 'color' | 'password';
const textTypes: ReadonlySet<FieldType> = new Set<TextType>(['text', 'longText', 'markdown', 'richText', 'email', 'url', 'phone', 'slug', 'color', 'password']);
export const isTextType = (type: FieldType): type is TextType => textTypes.has(type);

/** PostgreSQL keeps no U+0000, JSON no half of a pair; other control characters only break what shows them. */
// oxlint-disable-next-line no-control-regex
const unkeepable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;
export const isKeepable = (text: string): boolean => !unkeepable.test(text);
const lineBreak = /[\n\r\u2028\u2029]/;

/** Characters as people count them, not UTF-16 units. */
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

function checked(text: string, { minLength, maxLength, pattern, patternMessage }: FieldOptions): string {
  if (maxLength !== undefined && text.length > maxLength && lengthOf(text) > maxLength) return refuse('too_long', { max: maxLength });
  if (minLength !== undefined && lengthOf(text) < minLength) return refuse('too_short', { min: minLength });
  if (pattern !== undefined && !fitsPattern(pattern, text)) return refuse('pattern', patternMessage === undefined ? {} : { message: patternMessage });
  return text;
}

const email = z.email();
const longestAddress = 2000;
const webAddress = z.url({ protocol: /^https?$/, hostname: /./ });

/** An address of the web, for mail or a telephone; never one that does something when it is opened. */
export function addressOf(text: string): string {
  if (text.length > longestAddress) return refuse('too_long', { max: longestAddress });
  if (/^(?:mailto|tel):\S+$/i.test(text)) return text;
  return !/\s/.test(text) && webAddress.safeParse(text).success ? text : refuse('not_a_url');
}
/** The same, or a path of the site. */
export const fileAddressOf = (text: string): string => (/^\/(?!\/)[^\s\\]*$/.test(text) ? text : addressOf(text));

/** Text of a field as it is kept, or null for none. Throws `ValueFault`. */
export function textOf(type: TextType, options: FieldOptions, raw: unknown): string | null {
  const given = limitedText(raw);
  if (given === '') return null;
  switch (type) {
    case 'text': {
      if (lineBreak.test(given)) return refuse('forbidden_characters');
      return checked(given.normalize('NFC'), options);
    }
    case 'longText':
    case 'markdown':
      return checked(given, options);
    case 'richText': {
      const html = cleanHtml(given);
      if (Buffer.byteLength(html) > tableLimits.textBytes) return refuse('too_long', { max: tableLimits.textBytes });
      return html === '' ? null : checked(html, options);
    }
    case 'email': {
      const text = given.trim();
      return text.length <= 254 && email.safeParse(text).success ? text : refuse('not_an_email');
    }
    case 'url':
      return addressOf(given.trim());
    case 'phone': {
      const text = given.trim();
      const digits = text.match(/\d/g)?.length ?? 0;
      return digits >= 3 && digits <= 20 && text.length <= 40 && /^[+\d\s().,;*#/extEXT-]+$/.test(text) ? text : refuse('pattern');
    }
    case 'slug': {
      const text = given.trim().normalize('NFC').toLowerCase();
      checked(text, { maxLength: options.maxLength ?? 200 });
      return /^[\p{L}\p{M}\p{N}]+(?:[-_.~][\p{L}\p{M}\p{N}]+)*$/u.test(text) ? text : refuse('pattern');
    }
    case 'color': {
      const text = given.trim().toLowerCase();
      const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(text);
      if (short)
        return `#${short
          .slice(1)
          .map((digit) => digit + digit)
          .join('')}`;
      return /^#[\da-f]{6}$/.test(text) ? text : refuse('pattern');
    }
    case 'password': {
      // What is longer would only make hashing slow.
      if (given.length > 1000) return refuse('too_long', { max: 1000 });
      return checked(given, options);
    }
  }
}
