/**
 * Tags of rich text as numbered placeholders, as files for translators have them: `<p>Tea <b>house</b><br></p>` is `<1>Tea <2>house</2><3/></1>`. Numbers mean tags of
 * the source, so a file can move tags, but neither add nor change one.
 */

/** A tag of the source, or a pair of tags. `name`: of the element. */
export type InlineCode = { readonly name: string; readonly begin: string; readonly end: string | null };
/** What a text consists of; `n`: the number of its code, from 1. */
export type InlinePart = string | { readonly n: number; readonly side: 'begin' | 'end' | 'single' };

type Tag = { readonly raw: string; readonly name: string; side: 'begin' | 'end' | 'single'; partner: number };

/** Stored rich text has no `<` or `>` inside of attributes. */
const anyTag = /(<\/?[a-z][^<>]*>)/i;
const placeholder = /(<\/?\d{1,6}>|<\d{1,6}\/>)/;
const nameOf = (raw: string): string => /^<\/?([a-z][\w-]*)/i.exec(raw)?.[1]?.toLowerCase() ?? '';

/** Texts at even positions, tags at odd ones; tags without a partner are single. */
function tokensOf(html: string): { readonly texts: readonly string[]; readonly tags: readonly Tag[] } {
  const tokens = html.split(anyTag);
  const tags = tokens.filter((_token, at) => at % 2 === 1).map((raw): Tag => ({ raw, name: nameOf(raw), side: 'single', partner: -1 }));
  const open: number[] = [];
  const openNames = new Map<string, number>();
  const count = (name: string, by: number): void => void openNames.set(name, (openNames.get(name) ?? 0) + by);
  for (const [at, tag] of tags.entries()) {
    if (!tag.raw.startsWith('</')) {
      open.push(at);
      count(tag.name, 1);
    }
    if (!tag.raw.startsWith('</') || (openNames.get(tag.name) ?? 0) === 0) continue;
    const from = open.findLastIndex((one) => tags[one]?.name === tag.name);
    const closed = open.splice(from);
    for (const one of closed) count(tags[one]?.name ?? '', -1);
    const [partner = -1] = closed;
    const begin = tags[partner];
    if (begin) [begin.side, begin.partner, tag.side, tag.partner] = ['begin', at, 'end', partner];
  }
  return { texts: tokens.filter((_token, at) => at % 2 === 0), tags };
}

const codeOf = (tags: readonly Tag[], tag: Tag): InlineCode => ({ name: tag.name, begin: tag.raw, end: tags[tag.partner]?.raw ?? null });
/** What a translation may not change about a tag: its name and its addresses. Other attributes, such as `alt`, may be translated. */
const skeletonOf = ({ name, begin, end }: InlineCode): string =>
  [name, String(end === null), ...[...begin.matchAll(/\b(?:href|src)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi)].map(([, value = '']) => value)].join(' ');

/** Finds each code once: one that is the same if there is one, else one with the same skeleton. Returns its index. */
function finderOf(codes: readonly InlineCode[]): (code: InlineCode) => number | undefined {
  const free = new Map<string, number[]>();
  for (const [at, code] of codes.entries()) {
    const name = skeletonOf(code);
    const others = free.get(name);
    if (others) others.push(at);
    else free.set(name, [at]);
  }
  return (code) => {
    const candidates = free.get(skeletonOf(code)) ?? [];
    const same = candidates.findIndex((at) => codes[at]?.begin === code.begin);
    return candidates.splice(Math.max(0, same), 1)[0];
  };
}
const codesIn = ({ tags }: { readonly tags: readonly Tag[] }): InlineCode[] => tags.filter(({ side }) => side !== 'end').map((tag) => codeOf(tags, tag));

/** The tags of a source text, in order. Where the present translation has other attributes, such as a translated `alt`, its tags are used. */
export function inlineCodes(source: string, translation: string | null = null): InlineCode[] {
  const own = codesIn(tokensOf(source));
  if (translation === null) return own;
  const present = codesIn(tokensOf(translation));
  const find = finderOf(present);
  return own.map((code) => present[find(code) ?? -1] ?? code);
}

/** Whether two texts have the same tags, nested properly, in any order. */
export function hasSameTags(one: string, other: string): boolean {
  const skeletons = (html: string): string => inlineCodes(html).map(skeletonOf).toSorted().join('\n');
  return skeletons(one) === skeletons(other);
}

/** Text of HTML as people read it, as far as it does not become a tag or an entity thereby. */
const readable = (html: string): string =>
  html
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&amp;(?!#?\w+;)/g, '&');
const stored = (text: string): string =>
  text
    .replaceAll(/&(?!#?\w+;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Text beside placeholders as plain text, and back, for files that mark placeholders otherwise. */
export const plainOf = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&');
export const fromPlain = (text: string): string => text.replaceAll(/&(?=#?\w+;)/g, '&amp;').replaceAll('<', '&lt;');

/** A text as files have it. Tags are those of `codes`; null: it has others. */
export function withPlaceholders(html: string, codes: readonly InlineCode[]): string | null {
  const { texts, tags } = tokensOf(html);
  const numbers = new Map<Tag, number>();
  const find = finderOf(codes);
  for (const tag of tags) {
    if (tag.side === 'end') continue;
    const at = find(codeOf(tags, tag));
    if (at === undefined) return null;
    numbers.set(tag, at + 1);
  }
  const written = (tag: Tag): string => {
    const n = String(numbers.get(tag.side === 'end' ? (tags[tag.partner] ?? tag) : tag));
    return tag.side === 'begin' ? `<${n}>` : tag.side === 'end' ? `</${n}>` : `<${n}/>`;
  };
  return texts.map((text, at) => readable(text) + (tags[at] ? written(tags[at]) : '')).join('');
}

export const inlineParts = (text: string): InlinePart[] =>
  text.split(placeholder).map((part, at) => {
    if (at % 2 === 0) return part;
    const n = Number(/\d+/.exec(part)?.[0]);
    return { n, side: part.startsWith('</') ? 'end' : part.endsWith('/>') ? 'single' : 'begin' };
  });

/** The HTML of a text in a file; null: its placeholders are not those of `codes`, or are nested wrongly. */
export function withTags(text: string, codes: readonly InlineCode[]): string | null {
  const open: number[] = [];
  const used = new Set<number>();
  let html = '';
  for (const part of inlineParts(text)) {
    if (typeof part === 'string') {
      if (/<[a-z/!?]/i.test(part)) return null;
      html += stored(part);
      continue;
    }
    const { n, side } = part;
    const code = codes[n - 1];
    if (code === undefined || (side === 'single') !== (code.end === null)) return null;
    if (side === 'end' ? open.pop() !== n : used.has(n)) return null;
    used.add(n);
    if (side === 'begin') open.push(n);
    html += side === 'end' ? (code.end ?? '') : code.begin;
  }
  return open.length === 0 && used.size === codes.length ? html : null;
}
