import { z } from 'zod';
import type { FieldCode } from './errors';
import { canonicalLanguage } from './languages';

const forbidden = 'forbidden_characters' satisfies FieldCode;

/** The id of a row in PostgreSQL's lower-case form; the same id in upper case must compare as equal. */
export const rowId = z.uuid().toLowerCase();

/** A name without control or bidi characters: it must be what it looks like. */
export const safeName = (max: number) =>
  z
    .string()
    .transform((s) => s.normalize('NFC').trim())
    // oxlint-disable-next-line no-control-regex
    .pipe(
      z
        .string()
        .min(1)
        .max(max)
        .regex(/^[^\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]*$/u, forbidden),
    );

/** Free text, possibly of several lines: no control characters except line breaks and tabs (PostgreSQL cannot store U+0000). */
export const safeText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    // oxlint-disable-next-line no-control-regex
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/u, forbidden);

/** Language tag of a value of a content table, in its stored form. */
export const LocaleTag = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/)
  .overwrite(canonicalLanguage);
