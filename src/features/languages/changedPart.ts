/** What differs between two versions of a text: what they begin and end with in common, and the two middles. */
export type ChangedPart = { readonly start: string; readonly removed: string; readonly added: string; readonly end: string };

/** The changed part of a text. Pairs of surrogates stay together. */
export function changedPart(before: string, after: string): ChangedPart {
  const [old, next] = [Array.from(before), Array.from(after)];
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && old[start] === next[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  const middle = (text: readonly string[]): string => text.slice(start, text.length - end).join('');
  return { start: old.slice(0, start).join(''), removed: middle(old), added: middle(next), end: old.slice(old.length - end).join('') };
}
