import { marked } from 'marked';
import { z } from 'zod';
import { fieldTypeOf, isSlugSource } from '../../../../../contract/tables/fieldTypes';
import { fileItemsOf, isFileLink } from '../../../../../contract/tables/fieldTypes/fileValues';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { tableLimits } from '../../../../../contract/tables/terms';
import { ValueError, refuse } from '../values/valueErrors';
import { plainOf, richOf } from '../values/html';
import { cleanHtml } from '../values/richText';
import { slugOf } from '../values/slug';
import { addressOf, checkedText, isKeepable, limitedText } from '../values/texts';
import { defineFieldType } from './definition';
import type { Conversion, OptionErrors, Schema, ServerFieldType, Surroundings } from './definition';
import { webAddress } from './cells';

export const keepableText = (raw: unknown): string | undefined => (typeof raw === 'string' && isKeepable(raw) ? raw : undefined);
const lineBreak = /[\n\r\u2028\u2029]/;

/** A text type whose limits `check` enforces. */
export const textType = (check: (text: string, options: FieldOptions) => string | null, more: Partial<ServerFieldType> = {}): ServerFieldType =>
  defineFieldType({ check: (raw, options) => check(limitedText(raw), options), salvage: keepableText, ...more });

const textSchema = (options: FieldOptions): Schema => ({
  type: 'string',
  ...(options.minLength === undefined ? {} : { minLength: options.minLength }),
  ...(options.maxLength === undefined ? {} : { maxLength: options.maxLength }),
  // Patterns match the whole text.
  ...(options.pattern === undefined ? {} : { pattern: `^(?:${options.pattern})$` }),
});
const freeText = { schema: textSchema, indexedAsWritten: true } as const;

export const text = textType(
  (input, options) => (lineBreak.test(input) ? refuse('forbidden_characters') : checkedText(input.normalize('NFC'), options)),
  freeText,
);
export const longText = textType(checkedText, freeText);
export const markdown = textType(checkedText, {
  ...freeText,
  holdsAsWritten: ['text'],
  html: (source) => marked.parse(source, { async: false, gfm: true }),
});

const stripped = (html: string): string =>
  html
    .replaceAll(/<[^>]*>?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
/** Text of HTML, with line breaks at the ends of blocks. */
const cellText = (html: string): string =>
  html
    .replaceAll(/<(?:br|\/p|\/li|\/h\d|\/div|\/tr)\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>?/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
export const richText = textType(
  (input, options) => {
    const html = cleanHtml(input);
    if (Buffer.byteLength(html) > tableLimits.textBytes) return refuse('too_long', { max: tableLimits.textBytes });
    return html === '' ? null : checkedText(html, options);
  },
  {
    restore: (raw) => {
      const html = keepableText(raw);
      return html === undefined ? undefined : cleanHtml(html) || null;
    },
    schema: () => ({ type: 'string', contentMediaType: 'text/html' }),
    html: (stored) => stored,
    plainText: (value) => (typeof value === 'string' ? plainOf(value) : null),
    label: stripped,
    fromText: richOf,
    loss: 'format',
    cell: (value, { plain }) => plain(typeof value === 'string' ? cellText(value) : ''),
  },
);

const mail = z.email();
export const email = textType(
  (input) => {
    const address = input.trim();
    return address.length <= 254 && mail.safeParse(address).success ? address : refuse('not_an_email');
  },
  { schema: () => ({ type: 'string', format: 'email' }), indexedAsWritten: true },
);
export const url = textType((input) => addressOf(input.trim()), {
  salvage: () => undefined,
  schema: () => ({ type: 'string', format: 'uri' }),
  indexedAsWritten: true,
  takesFirst: true,
  convert: (value, { from }) => (fieldTypeOf(from.type).family === 'file' ? fileItemsOf(value).find(isFileLink)?.url : undefined),
  cell: (value, { plain }) => {
    const address = typeof value === 'string' ? value : '';
    const href = webAddress(address);
    return { ...plain(address), ...(href === null ? {} : { links: [{ href, title: address }] }) };
  },
});
export const phone = textType(
  (input) => {
    const number = input.trim();
    const digits = number.match(/\d/g)?.length ?? 0;
    return digits >= 3 && digits <= 20 && number.length <= 40 && /^[+\d\s().,;*#/extEXT-]+$/.test(number) ? number : refuse('pattern');
  },
  { indexedAsWritten: true },
);

function slugText(input: string, options: FieldOptions): string {
  const slug = input.trim().normalize('NFC').toLowerCase();
  checkedText(slug, { maxLength: options.maxLength ?? 200 });
  return /^[\p{L}\p{M}\p{N}]+(?:[-_.~][\p{L}\p{M}\p{N}]+)*$/u.test(slug) ? slug : refuse('pattern');
}
function isSlug(input: string, options: FieldOptions): boolean {
  try {
    return slugText(limitedText(input), options) === input;
  } catch (error) {
    if (error instanceof ValueError) return false;
    throw error;
  }
}
export const slug = textType(slugText, {
  schema: textSchema,
  indexedAsWritten: true,
  fromText: (input, { to: { options } }: Conversion) =>
    isSlug(input, options) ? input : slugOf(input, Math.min(options.maxLength ?? 80, 80)) || refuse('pattern'),
  resolveOptions: (options, around: Surroundings, errors: OptionErrors) => {
    if (options.from === undefined) return {};
    const from = around.own(options.from);
    if (from && isSlugSource(from.type)) return { from: from.id };
    errors.add('from', from ? 'wrong_type' : 'unknown');
    return {};
  },
});
export const color = textType(
  (input) => {
    const code = input.trim().toLowerCase();
    const short = /^#([\da-f])([\da-f])([\da-f])$/.exec(code);
    if (short)
      return `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`;
    return /^#[\da-f]{6}$/.test(code) ? code : refuse('pattern');
  },
  { schema: () => ({ type: 'string', pattern: '^#[0-9a-f]{6}$' }) },
);

const hash = /^\$argon2id\$v=\d+\$[\w=,]{1,60}\$[A-Za-z0-9+/]{10,100}\$[A-Za-z0-9+/]{10,200}$/;
export const password = defineFieldType({
  check: (raw, options) => {
    // The value as returned by reads: leaves the password unchanged.
    if (raw === true) return undefined;
    const plaintext = limitedText(raw);
    // Longer passwords would only slow down hashing.
    return plaintext.length > 1000 ? refuse('too_long', { max: 1000 }) : checkedText(plaintext, options);
  },
  restore: (raw) => (typeof raw === 'string' && hash.test(raw) ? raw : undefined),
  schema: (_options, written) => (written ? { type: 'string', writeOnly: true } : { type: 'boolean', const: true }),
});
