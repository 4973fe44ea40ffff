/** What a translation must keep: placeholders of themes and templates, and tags. A beginning without an end is searched no further than the next one. */

const placeholders = /\{\{[^{}]*\}\}|\{%[^{}]*%\}|\{[\p{L}\p{N}_.]+\}|%(?:\d+\$)?[sd]\b/gsu;
const tags = /<\/?[a-z][^<>]*>/gi;

const sorted = (found: readonly string[] | null): string => [...(found ?? [])].toSorted().join('\n');
/** The name of a tag and the addresses in it; other attributes, such as `alt`, may be translated. */
const skeleton = (tag: string): string => {
  const name = /^<\/?[a-z][\w-]*/i.exec(tag)?.[0].toLowerCase() ?? '';
  return [name, ...Array.from(tag.matchAll(/\b(?:href|src)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi), ([, value = '']) => value.replaceAll(/["']/g, ''))].join(' ');
};

/** Whether a translation has the placeholders of its source, and with `html` its tags and addresses, in any order. */
export function isIntact(source: string, translation: string, format: 'text' | 'html'): boolean {
  if (sorted(source.match(placeholders)) !== sorted(translation.match(placeholders))) return false;
  return format === 'text' || sorted(source.match(tags)?.map(skeleton) ?? []) === sorted(translation.match(tags)?.map(skeleton) ?? []);
}

/** Splits a text into pieces that are translated and, at odd positions, placeholders and with `html` tags that are not. */
export function piecesOf(text: string, format: 'text' | 'html'): string[] {
  const fixed = format === 'html' ? `${placeholders.source}|<[^<>]*>` : placeholders.source;
  return text.split(new RegExp(`(${fixed})`, 'gisu'));
}
