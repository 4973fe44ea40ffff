import { hasSameTags } from './inlineTags';

/** What a translation must keep: placeholders of themes and templates, and tags. A beginning without an end is searched no further than the next one. */

const placeholders = /\{\{[^{}]*\}\}|\{%[^{}]*%\}|\{[\p{L}\p{N}_.]+\}|%(?:\d+\$)?[sd]\b/gsu;
const sorted = (found: readonly string[] | null): string => [...(found ?? [])].toSorted().join('\n');

/**
 * What a translation fails to keep from its source, in any order: placeholders, or with `html` also tags and addresses, which must be nested properly. Null: it keeps
 * everything.
 */
export function mismatchOf(source: string, translation: string, format: 'text' | 'html'): 'placeholders' | 'tags' | null {
  if (sorted(source.match(placeholders)) !== sorted(translation.match(placeholders))) return 'placeholders';
  return format === 'text' || hasSameTags(source, translation) ? null : 'tags';
}
export const isIntact = (source: string, translation: string, format: 'text' | 'html'): boolean => mismatchOf(source, translation, format) === null;

/** Splits a text into pieces that are translated and, at odd positions, placeholders and with `html` tags that are not. */
export function piecesOf(text: string, format: 'text' | 'html'): string[] {
  const fixed = format === 'html' ? `${placeholders.source}|<[^<>]*>` : placeholders.source;
  return text.split(new RegExp(`(${fixed})`, 'gisu'));
}
