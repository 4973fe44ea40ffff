import { isSearchable } from '../../../../contract/tables/terms';
import type { FieldModel } from './model';

/**
 * Words of a record for PostgreSQL's text search, extracted here because its parsers do not support Chinese. Scripts without spaces between words are
 * stored as overlapping pairs of characters (红茶叶 → 红茶 茶叶 叶), so that the index finds any two; the last character is stored alone, so that a single
 * character matches as a prefix. Everything else is split into words, which match by prefix. Choices are stored by id (`=f_…:choice`), so that renaming
 * one changes no record; queries map titles to ids.
 */

type Searched = Pick<FieldModel, 'id' | 'type' | 'options' | 'searchable'>;
type Piece = { readonly text: string; readonly spaceless: boolean };

/** Per record. Records with more are marked with `more`, and their texts are checked at query time. */
const mostLexemes = 20_000;
/** Maximum word length in characters; the rest is cut off. */
const wordLength = 40;
const more = '=more';

const spaceless = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const textRuns = new RegExp(String.raw`([${spaceless}]+)|((?![${spaceless}])[\p{L}\p{N}](?:(?![${spaceless}])[\p{L}\p{N}\p{M}])*)`, 'gu');
const accents = /[\u0300-\u036f]/g;

/** Inline tags, which do not separate words; all others do. The same in SQL: see `read/search.ts`. */
export const inlineTags = '</?(?:a|abbr|b|code|del|em|i|ins|kbd|mark|s|small|span|strong|sub|sup|u)(?:\\s[^>]*)?>';
const inline = new RegExp(inlineTags, 'gi');
/** Rough text of HTML: for words, not for display. */
const strip = (html: string): string =>
  html
    .replaceAll(inline, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#?\w{1,10};/g, ' ');

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
// oxlint-disable-next-line no-control-regex
const ascii = /^[\u0000-\u007f]*$/;
const withoutAccents = (word: string): string => (ascii.test(word) ? word : accentsOff(word));
const accentsOff = (word: string): string => word.normalize('NFD').replaceAll(accents, '').normalize('NFC');
const wordOf = (word: string): string => {
  const plain = withoutAccents(word);
  return plain.length <= wordLength ? plain : Array.from(plain).slice(0, wordLength).join('');
};

function* piecesOf(folded: string): Generator<Piece> {
  for (const [, run, word] of folded.matchAll(textRuns)) {
    if (run !== undefined) yield { text: run, spaceless: true };
    else if (word !== undefined) yield { text: word, spaceless: false };
  }
}

/** Most texts contain only these characters, which can be split by comparing code points, many times faster than with the expression above. */
// oxlint-disable-next-line no-control-regex
const plainText = /^[\u0000-\u007f\u3001\u3002\u4e00-\u9fff]*$/;
const [nothing, alone, han] = [0, 1, 2];
const sortOf = (code: number): number => (code >= 0x4e00 ? han : (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) ? alone : nothing);
/** Like `piecesOf`, for texts that match `plainText`. */
function plainPieces(folded: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  let sort = nothing;
  for (let at = 0; at <= folded.length; at += 1) {
    const next = at === folded.length ? nothing : sortOf(folded.charCodeAt(at));
    if (next === sort) continue;
    if (sort !== nothing) found.push({ text: folded.slice(from, at), spaceless: sort === han });
    from = at;
    sort = next;
  }
  return found;
}

/** Adds the lexemes of a text to `all`; false if it is full. */
function addText(all: Set<string>, text: string): boolean {
  // Folding only changes their case.
  for (const piece of plainText.test(text) ? plainPieces(text.toLowerCase()) : piecesOf(fold(text))) {
    if (all.size >= mostLexemes) return false;
    if (!piece.spaceless) {
      all.add(wordOf(piece.text));
      continue;
    }
    let last = '';
    for (const character of piece.text) {
      if (last !== '') all.add(last + character);
      if (all.size >= mostLexemes) return false;
      last = character;
    }
    all.add(last);
  }
  return true;
}

/** Numbers are written in groups but searched without: +86 138-0013-8000 is found as 13800138000 and as 8000. */
function phoneNumbers(text: string): string[] {
  const groups = text.match(/\d+/g) ?? [];
  const tails = groups.map((_, at) => groups.slice(at).join(''));
  const [whole = ''] = tails;
  const home = /^(?:\+|00)/.test(text.trim()) ? /^(?:00)?86(\d{7,})$/.exec(whole)?.[1] : undefined;
  return (home === undefined ? tails : [...tails, home]).map((digits) => digits.slice(0, wordLength));
}

/** Lexeme by which records with a choice are found. */
export const choiceLexeme = (fieldId: string, choice: string): string => `=${fieldId}:${choice}`;

/** Lexemes of values by field. Values that do not match their field's type are skipped. */
export function tokensOf(parts: readonly { readonly field: Searched; readonly value: unknown }[]): string[] {
  const all = new Set<string>();
  for (const { field, value } of parts) {
    if (!field.searchable || !isSearchable(field.type)) continue;
    const texts = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter((one): one is string => typeof one === 'string');
    for (const text of texts) {
      if (field.type === 'select' || field.type === 'multiSelect') all.add(choiceLexeme(field.id, text));
      else if (!addText(all, field.type === 'richText' ? strip(text) : text)) return [...all, more];
      if (field.type === 'phone') for (const digits of phoneNumbers(fold(text))) all.add(digits);
    }
  }
  return [...all];
}

/** Content of a record's column `q`, as text for `$n::tsvector`: from its values by field id and its translations by language. */
export function searchVector(
  fields: readonly Searched[],
  values: Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>,
  translations: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null,
): string {
  const parts: { field: Searched; value: unknown }[] = [];
  for (const field of fields)
    parts.push({ field, value: values instanceof Map ? values.get(field.id) : (values as Readonly<Record<string, unknown>>)[field.id] });
  for (const one of Object.values(translations ?? {})) for (const field of fields) parts.push({ field, value: one[field.id] });
  return tokensOf(parts).map(quoted).join(' ');
}

/** Letters, digits and choice ids need no escaping; any other character is escaped. */
const quoted = (lexeme: string): string => (toEscape.test(lexeme) ? escaped(lexeme) : `'${lexeme}'`);
const toEscape = /['\\]/;
const escaped = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** For `q @@ $n::tsquery`: matches every record whose texts contain this Chinese text; null if it has no two adjacent characters. */
export function neighbours(text: string): string | null {
  const pairs = (fold(text).match(/\p{Script=Han}{2,}/gu) ?? []).flatMap((run) => termsOf({ text: run, spaceless: true }));
  return pairs.length === 0 ? null : `(${[...new Set(pairs)].slice(0, 50).join(' & ')}) | ${quoted(more)}`;
}

/** One search term as typed, between spaces and commas. */
export type SearchTerm = {
  /** All of them occur in a match: folded texts to look for; `plain`: also without accents. */
  readonly texts: readonly string[];
  readonly plain: boolean;
  /** Whether the index alone could match too much, because pairs need not be adjacent. */
  readonly recheck: boolean;
  /** Choices with a matching title, by field. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
};
export type SearchCondition = {
  /** For `q @@ $n::tsquery`; null: the term contains nothing that the index covers (an emoji), so the texts decide. */
  readonly query: string | null;
  /** For `q @@ $n::tsquery`: the record has more words than are indexed, so its texts decide. */
  readonly more: string;
  readonly terms: readonly SearchTerm[];
};

/** How to find records with all words of the search text. With `fields`, titles of their choices count as words of the records. null: empty search. */
export function searchCondition(searchText: string, fields: readonly Searched[]): SearchCondition | null {
  const typed = [
    ...new Set(
      fold(searchText)
        .split(/[\s,、;。]+/u)
        .filter(Boolean),
    ),
  ].slice(0, 20);
  const parsed = typed.map((text) => ({ text, parts: [...piecesOf(text)] }));
  // A dash between two words has no meaning; a dash alone is a search term.
  const meant = parsed.some((one) => one.parts.length > 0) ? parsed.filter((one) => one.parts.length > 0) : parsed;
  if (meant.length === 0) return null;
  const terms = meant.map(({ text, parts }): SearchTerm => {
    const plain = parts.length > 0 && !parts.some((part) => part.spaceless);
    return {
      texts: plain ? parts.map((part) => withoutAccents(part.text)) : [parts.length === 1 ? (parts[0]?.text ?? text) : text],
      plain,
      recheck: parts.length === 0 || (parts.length > 1 && !plain) || parts.some((part) => Array.from(part.text).length > (part.spaceless ? 2 : wordLength)),
      choices: choicesCalled(fields, text, parts),
    };
  });
  const conditions = meant.flatMap(({ parts }, at) => {
    const own = parts.flatMap(termsOf);
    const called = [...(terms[at]?.choices ?? [])].flatMap(([field, ids]) => ids.map((id) => quoted(choiceLexeme(field, id))));
    return own.length + called.length === 0 ? [] : [`(${[...(own.length > 0 ? [`(${own.join(' & ')})`] : []), ...called].join(' | ')})`];
  });
  return { query: conditions.length === meant.length ? `(${conditions.join(' & ')}) | ${quoted(more)}` : null, more: quoted(more), terms };
}

function termsOf(piece: Piece): string[] {
  if (!piece.spaceless) return [`${quoted(wordOf(piece.text))}:*`];
  const characters = Array.from(piece.text);
  if (characters.length === 1) return [`${quoted(piece.text)}:*`];
  return characters.slice(1).map((character, at) => quoted(`${characters[at]}${character}`));
}

function choicesCalled(fields: readonly Searched[], text: string, parts: readonly Piece[]): Map<string, string[]> {
  const called = new Map<string, string[]>();
  for (const field of fields) {
    if (!field.searchable || (field.type !== 'select' && field.type !== 'multiSelect')) continue;
    const ids = (field.options.choices ?? []).filter((choice) => isCalled(choice.title, text, parts)).map((choice) => choice.id);
    if (ids.length > 0) called.set(field.id, ids);
  }
  return called;
}

function isCalled(title: string, text: string, parts: readonly Piece[]): boolean {
  const folded = fold(title);
  if (parts.length !== 1 || parts[0]?.spaceless) return folded.includes(text);
  const word = wordOf(parts[0]?.text ?? '');
  return [...piecesOf(folded)].some((piece) => !piece.spaceless && wordOf(piece.text).startsWith(word));
}
