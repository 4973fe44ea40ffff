import type { ImportRow } from '../../../../contract/languages/translations';
import { translationLimits } from '../../../../contract/languages/translationTerms';
import type { ExchangeFormat, ImportResult } from '../../../../contract/languages/translationTerms';
import type { TextKey } from '../../../../contract/languages/translations';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { FormatError, decodeFile } from './formats/format';
import type { ExportedText, Format, ImportedText } from './formats/format';
import { formats } from './formats';
import { inlineCodes, withPlaceholders, withTags } from './inlineTags';
import type { InlineCode } from './inlineTags';
import { findPlaces } from './places';
import { isIntact } from './protected';
import { readTextId, textId, textKey } from './states';
import { selected, surveyOf } from './survey';
import type { Selection } from './survey';
import { textsByKey, textsOf } from './texts';
import type { FoundText } from './texts';
import type { Translator } from './translator';

const placesAtOnce = 200;
const textsAtOnce = 500;

const codesOf = ({ source, text }: FoundText): InlineCode[] => inlineCodes(source.text, text);
const hasPlaceholders = ({ tags }: Pick<Format, 'tags'>, found: FoundText): boolean => tags === 'placeholders' && found.format === 'html';

function exported(format: Format, found: FoundText): ExportedText {
  const { key, title, label, source, text, state } = found;
  const codes = hasPlaceholders(format, found) ? codesOf(found) : [];
  const inFile = (one: string): string | null => (hasPlaceholders(format, found) ? withPlaceholders(one, codes) : one);
  return {
    id: textId(key),
    note: [key.entity, title, label].filter((part) => part !== '').join(' · '),
    from: source.tag,
    source: inFile(source.text) ?? source.text,
    text: text === null ? null : inFile(text),
    state,
    format: found.format,
    codes,
  };
}

/** A file of texts, piece by piece. Texts of one source language stand together. */
export async function* exportFile(
  ctx: Context,
  who: Translator,
  format: ExchangeFormat,
  selection: Selection & { readonly tag: string },
): AsyncGenerator<string> {
  const { head, text: textIn, foot } = formats[format];
  const file = { tag: selection.tag, site: who.site.name };
  const places = selected(await surveyOf(ctx, who, selection), selection).map(({ place }) => place);
  let last: ExportedText | null = null;
  yield head(file);
  for (let from = 0; from < places.length; from += placesAtOnce) {
    const some = await findPlaces(ctx, who, places.slice(from, from + placesAtOnce));
    let piece = '';
    for (const found of await textsOf(ctx, who, some, selection.tag, selection.state)) {
      const text = exported(formats[format], found);
      piece += textIn(text, last, file);
      last = text;
    }
    if (piece !== '') yield piece;
  }
  yield foot(last);
}

/** PostgreSQL stores neither U+0000 nor halves of surrogate pairs. */
// oxlint-disable-next-line no-control-regex
const unstorable = /\u0000|\p{Surrogate}/u;

/** Texts of a file and its encoding. Throws `invalid_fields` if it is not in its format, `too_large` if it has too many texts. */
export function readFile(content: string, format: ExchangeFormat): { readonly texts: readonly ImportedText[]; readonly encoding: string } {
  try {
    const bytes = Buffer.from(content, 'base64');
    if (bytes.length > translationLimits.importBytes) return fail('too_large');
    const { text, encoding } = decodeFile(bytes, format);
    const texts = formats[format].read(text).filter((one) => one.text !== '');
    if (texts.some((one) => unstorable.test(one.text))) throw new FormatError('characters that cannot be stored');
    return texts.length > translationLimits.importTexts ? fail('too_large') : { texts, encoding };
  } catch (error) {
    if (error instanceof FormatError) return fail('invalid_fields', { fields: { content: { code: 'pattern', message: error.message } }, cause: error });
    throw error;
  }
}

/** What importing a text would do. `text`: null if there is no such text. */
export type CheckedText = {
  readonly id: string;
  readonly key: TextKey | null;
  readonly found: FoundText | null;
  readonly after: string;
  readonly result: ImportResult;
};

/** Spreadsheets and editors may write line breaks differently. */
const plain = (one: string): string => one.replaceAll(/\s+/g, ' ').trim();

function resultOf(source: string | null, after: string | null, found: FoundText, present: string | null): ImportResult {
  if (found.locked !== null || after === null) return 'refused';
  if (found.text === after) return 'unchanged';
  // A file has the placeholders of the source that it was made from; the tags of rich text are always those of the present one.
  if (!isIntact(found.format === 'text' ? (source ?? found.source.text) : found.source.text, after, found.format)) return 'refused';
  return source !== null && plain(source) !== plain(present ?? '') ? 'outdated' : 'changed';
}

/** What importing a text would do, and the text as it would be stored. */
function checked(format: Format, { source, text }: ImportedText, found: FoundText | undefined): { readonly after: string; readonly result: ImportResult } {
  if (!found) return { after: text, result: 'unknown' };
  if (!hasPlaceholders(format, found)) return { after: text, result: resultOf(source, text, found, found.source.text) };
  const codes = codesOf(found);
  const after = withTags(text, codes);
  return { after: after ?? text, result: resultOf(source, after, found, withPlaceholders(found.source.text, codes)) };
}

/** Checks the texts of a file without writing anything. The last one of several with the same name counts. */
export async function checkTexts(
  ctx: Context,
  who: Translator,
  { tag, format }: { readonly tag: string; readonly format: ExchangeFormat },
  texts: readonly ImportedText[],
): Promise<CheckedText[]> {
  const unique = [...new Map(texts.map((text) => [text.id, text])).values()];
  const all: CheckedText[] = [];
  for (let from = 0; from < unique.length; from += textsAtOnce) {
    const some = unique.slice(from, from + textsAtOnce).map((text) => ({ text, key: readTextId(text.id) }));
    const found = await textsByKey(
      ctx,
      who,
      some.flatMap(({ key }) => key ?? []),
      tag,
    );
    for (const { text, key } of some) {
      const one = key ? found.get(textKey(key)) : undefined;
      all.push({ id: text.id, key, found: one ?? null, ...checked(formats[format], text, one) });
    }
  }
  return all;
}

const attention: readonly ImportResult[] = ['refused', 'outdated', 'unknown', 'changed', 'unchanged'];
const listed = 200;

export const checkResponse = (all: readonly CheckedText[]): { counts: Record<ImportResult, number>; rows: ImportRow[] } => ({
  counts: Object.fromEntries(attention.map((result) => [result, all.filter((one) => one.result === result).length])) as Record<ImportResult, number>,
  rows: all
    .toSorted((a, b) => attention.indexOf(a.result) - attention.indexOf(b.result))
    .slice(0, listed)
    .map(({ id, result, found, after }) => ({
      id,
      result,
      title: found ? [found.title, found.label].filter((part) => part !== '').join(' · ') : '',
      format: found?.format ?? 'text',
      before: found?.text ?? null,
      after,
    })),
});
