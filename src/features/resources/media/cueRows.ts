import { readTime, timeText } from '@contract/resources/vtt';
import type { Cue } from '@contract/resources/vtt';

/** A cue as it is typed. `key` stays the same while it is edited. */
export type CueRow = { readonly key: number; readonly start: string; readonly end: string; readonly text: string; readonly cue: Cue | null };
export type RowProblem = 'start' | 'end' | 'text';

/** Length of a new cue, in ms. */
const newLength = 2000;
let lastKey = 0;
const nextKey = (): number => (lastKey += 1);

export const rowOf = (cue: Cue): CueRow => ({ key: nextKey(), start: timeText(cue.start), end: timeText(cue.end), text: cue.text, cue });
export const newRow = (at: number): CueRow => ({ key: nextKey(), start: timeText(at), end: timeText(at + newLength), text: '', cue: null });

/** What has to be corrected before a row is a cue. */
export function problemOf({ start, end, text }: CueRow): RowProblem | null {
  const [from, to] = [readTime(start), readTime(end)];
  if (from === null) return 'start';
  if (to === null || to <= from) return 'end';
  return text.trim() === '' ? 'text' : null;
}

/** Cues of the rows that have no problem, by their start. Position and id of an imported cue stay. */
export const cuesOf = (rows: readonly CueRow[]): Cue[] =>
  rows
    .flatMap((row) => {
      const [start, end] = [readTime(row.start), readTime(row.end)];
      return problemOf(row) !== null || start === null || end === null
        ? []
        : [{ id: row.cue?.id ?? '', settings: row.cue?.settings ?? '', start, end, text: row.text.trim() }];
    })
    .toSorted((a, b) => a.start - b.start);

/** Two rows instead of one, divided at a time within it or in its middle; the text at the space next to the same share. Null if it cannot be divided. */
export function splitRow(row: CueRow, at: number): readonly [CueRow, CueRow] | null {
  const [start, end] = [readTime(row.start), readTime(row.end)];
  if (start === null || end === null || end - start < 2) return null;
  const middle = at > start && at < end ? Math.round(at) : Math.round((start + end) / 2);
  const text = row.text.trim();
  const target = Math.round((text.length * (middle - start)) / (end - start));
  const gaps = Array.from(text.matchAll(/\s+|(?<=[，。！？；、])/gu), ({ index }) => index).filter((index) => index > 0 && index < text.length);
  const cut = gaps.toSorted((a, b) => Math.abs(a - target) - Math.abs(b - target))[0] ?? text.length;
  return [
    { ...row, end: timeText(middle), text: text.slice(0, cut).trim() },
    { key: nextKey(), start: timeText(middle), end: row.end, text: text.slice(cut).trim(), cue: row.cue && { ...row.cue, id: '' } },
  ];
}
