import type { ImportRow } from '../../../../contract/languages/translations';
import { translationLimits } from '../../../../contract/languages/translationTerms';
import type { ExchangeFormat, ImportReason, ImportResult } from '../../../../contract/languages/translationTerms';
import type { TextKey } from '../../../../contract/languages/translations';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { attributeId, attributeIn, attributesOf, readAttributeId, withAttribute } from './attributes';
import type { AttributePlace } from './attributes';
import { FormatError, decodeFile } from './formats/format';
import type { ExportedText, Format, ImportedText } from './formats/format';
import { formats } from './formats';
import { inlineCodes, withPlaceholders, withTags } from './inlineTags';
import type { InlineCode } from './inlineTags';
import { findPlaces } from './places';
import { mismatchOf } from './protected';
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

/** A text as a file has it, followed by attributes of its tags that people read. */
function exported(format: Format, found: FoundText): ExportedText[] {
  const { key, title, label, source, text, state } = found;
  const [id, from] = [textId(key), source.tag];
  const noteOf = (...more: string[]): string => [key.entity, title, label, ...more].filter((part) => part !== '').join(' · ');
  if (!hasPlaceholders(format, found)) return [{ id, note: noteOf(), from, source: source.text, text, state, format: found.format, codes: [] }];
  const codes = codesOf(found);
  const attributes = attributesOf(inlineCodes(source.text)).map((place) => ({ ...place, id: attributeId(id, place) }));
  return [
    {
      id,
      note: noteOf(),
      from,
      source: withPlaceholders(source.text, codes) ?? source.text,
      text: text === null ? null : withPlaceholders(text, codes),
      state,
      format: found.format,
      codes,
      attributeIds: new Map(attributes.toReversed().map((one) => [one.n, one.id])),
    },
    ...attributes.map(({ n, name, id: ofAttribute, text: inSource }): ExportedText => {
      const code = codes[n - 1];
      const present = text === null || !code ? null : attributeIn(code, name);
      return { id: ofAttribute, note: noteOf(name), from, source: inSource, text: present, state, format: 'text', codes: [] };
    }),
  ];
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
      // Its translation could not be imported.
      if (found.locked === 'table_language') continue;
      for (const text of exported(formats[format], found)) {
        piece += textIn(text, last, file);
        last = text;
      }
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

type Finding = { readonly result: ImportResult; /** Null: it is not `unknown` or `refused`. */ readonly reason: ImportReason | null };
/** What importing a text would do. `text`: null if there is no such text. */
export type CheckedText = {
  readonly id: string;
  readonly key: TextKey | null;
  readonly found: FoundText | null;
  readonly after: string;
} & Finding;

/** Spreadsheets and editors may write line breaks differently. */
const plain = (one: string): string => one.replaceAll(/\s+/g, ' ').trim();

const outdated: Finding = { result: 'outdated', reason: null };
const unknownText: Finding = { result: 'unknown', reason: 'no_text' };
const unknownAttribute: Finding = { result: 'unknown', reason: 'no_attribute' };
function findingOf(source: string | null, after: string | null, found: FoundText, present: string | null): Finding {
  if (found.locked !== null || after === null) return { result: 'refused', reason: found.locked ?? 'tags' };
  if (found.text === after) return { result: 'unchanged', reason: null };
  // A file has the placeholders of the source that it was made from; the tags of rich text are always those of the present one.
  const mismatch = mismatchOf(found.format === 'text' ? (source ?? found.source.text) : found.source.text, after, found.format);
  if (mismatch !== null) return { result: 'refused', reason: mismatch };
  return source !== null && plain(source) !== plain(present ?? '') ? outdated : { result: 'changed', reason: null };
}

/** A text of a file with the attributes of its tags. `text`: null if the file has only attributes. */
type TextGroup = { readonly id: string; text: ImportedText | null; readonly attributes: Map<string, ImportedText & { readonly place: AttributePlace }> };

/** Texts of a file by name. The last one of several with the same name counts. */
function groupsOf(texts: readonly ImportedText[]): TextGroup[] {
  const groups = new Map<string, TextGroup>();
  for (const text of texts) {
    const attribute = readAttributeId(text.id);
    const id = attribute?.textId ?? text.id;
    const group = groups.get(id) ?? { id, text: null, attributes: new Map() };
    groups.set(id, group);
    if (attribute) group.attributes.set(text.id, { ...text, place: attribute.place });
    else group.text = text;
  }
  return [...groups.values()];
}

type Checked = { readonly id: string; readonly after: string } & Finding;

/** What importing a text with placeholders would do: one result for the text and its attributes, and one for every attribute that the source does not have. */
function checkedTags({ id, text, attributes }: TextGroup, found: FoundText): Checked[] {
  const present = codesOf(found);
  const inSource = inlineCodes(found.source.text);
  const unknown: Checked[] = [];
  let isOutdated = false;
  const codes = [...present];
  for (const { id: ofAttribute, place, source, text: written } of attributes.values()) {
    const [code, own] = [codes[place.n - 1], inSource[place.n - 1]];
    const original = own ? attributeIn(own, place.name) : null;
    if (!code || original === null) unknown.push({ id: ofAttribute, after: written, ...unknownAttribute });
    else codes[place.n - 1] = withAttribute(code, place.name, written);
    isOutdated ||= original !== null && source !== null && plain(source) !== plain(original);
  }
  if (text === null && unknown.length === attributes.size) return unknown;
  // Attributes alone change the present translation; without one they have no place.
  const inFile = text?.text ?? (found.text === null ? null : withPlaceholders(found.text, present));
  const after = inFile === null ? null : withTags(inFile, codes);
  const finding = findingOf(text?.source ?? null, after, found, withPlaceholders(found.source.text, present));
  return [
    {
      id,
      after: after ?? inFile ?? [...attributes.values()][0]?.text ?? '',
      ...(isOutdated && finding.result === 'changed'
        ? outdated
        : inFile === null && found.locked === null
          ? { ...finding, reason: 'no_translation' }
          : finding),
    },
    ...unknown,
  ];
}

function checked(format: Format, group: TextGroup, found: FoundText | undefined): Checked[] {
  if (found && hasPlaceholders(format, found)) return checkedTags(group, found);
  const { id, text, attributes } = group;
  const others = [...attributes.values()].map((one): Checked => ({ id: one.id, after: one.text, ...(found ? unknownAttribute : unknownText) }));
  if (text === null) return others;
  return [{ id, after: text.text, ...(found ? findingOf(text.source, text.text, found, found.source.text) : unknownText) }, ...others];
}

/** Checks the texts of a file without writing anything. */
export async function checkTexts(
  ctx: Context,
  who: Translator,
  { tag, format }: { readonly tag: string; readonly format: ExchangeFormat },
  texts: readonly ImportedText[],
): Promise<CheckedText[]> {
  const groups = groupsOf(texts);
  const all: CheckedText[] = [];
  for (let from = 0; from < groups.length; from += textsAtOnce) {
    const some = groups.slice(from, from + textsAtOnce).map((group) => ({ group, key: readTextId(group.id) }));
    const found = await textsByKey(
      ctx,
      who,
      some.flatMap(({ key }) => key ?? []),
      tag,
    );
    for (const { group, key } of some) {
      const one = key ? found.get(textKey(key)) : undefined;
      for (const row of checked(formats[format], group, one)) all.push({ ...row, key: row.id === group.id ? key : null, found: one ?? null });
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
    .map(({ id, result, reason, found, after }) => ({
      id,
      result,
      reason,
      title: found ? [found.title, found.label].filter((part) => part !== '').join(' · ') : '',
      format: found?.format ?? 'text',
      before: found?.text ?? null,
      after,
    })),
});
