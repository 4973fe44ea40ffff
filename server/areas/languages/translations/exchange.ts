import type { ImportRow } from '../../../../contract/languages/translations';
import { translationLimits } from '../../../../contract/languages/translationTerms';
import type { ExchangeFormat, ImportResult } from '../../../../contract/languages/translationTerms';
import type { TextKey } from '../../../../contract/languages/translations';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { FormatError, decodeFile } from './formats/format';
import type { ExportedText, ImportedText } from './formats/format';
import { formats } from './formats';
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

const exported = ({ key, title, label, source, text, state }: FoundText): ExportedText => ({
  id: textId(key),
  note: [key.entity, title, label].filter((part) => part !== '').join(' · '),
  from: source.tag,
  source: source.text,
  text,
  state,
});

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
      const text = exported(found);
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

function resultOf({ source, text }: ImportedText, found: FoundText | undefined): ImportResult {
  if (!found) return 'unknown';
  if (found.locked !== null) return 'refused';
  if (found.text === text) return 'unchanged';
  if (!isIntact(source ?? found.source.text, text, found.format)) return 'refused';
  // Spreadsheets and editors may write line breaks differently.
  const plain = (one: string): string => one.replaceAll(/\s+/g, ' ').trim();
  return source !== null && plain(source) !== plain(found.source.text) ? 'outdated' : 'changed';
}

/** Checks the texts of a file without writing anything. The last one of several with the same name counts. */
export async function checkTexts(ctx: Context, who: Translator, tag: string, texts: readonly ImportedText[]): Promise<CheckedText[]> {
  const unique = [...new Map(texts.map((text) => [text.id, text])).values()];
  const checked: CheckedText[] = [];
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
      checked.push({ id: text.id, key, found: one ?? null, after: text.text, result: resultOf(text, one) });
    }
  }
  return checked;
}

const attention: readonly ImportResult[] = ['refused', 'outdated', 'unknown', 'changed', 'unchanged'];
const listed = 200;

export const checkResponse = (checked: readonly CheckedText[]): { counts: Record<ImportResult, number>; rows: ImportRow[] } => ({
  counts: Object.fromEntries(attention.map((result) => [result, checked.filter((one) => one.result === result).length])) as Record<ImportResult, number>,
  rows: checked
    .toSorted((a, b) => attention.indexOf(a.result) - attention.indexOf(b.result))
    .slice(0, listed)
    .map(({ id, result, found, after }) => ({
      id,
      result,
      title: found ? [found.title, found.label].filter((part) => part !== '').join(' · ') : '',
      before: found?.text ?? null,
      after,
    })),
});
