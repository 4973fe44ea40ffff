import type { ImportReason } from '../../../../contract/imports/schemas';
import { keywordLimits } from '../../../../contract/imports/keywords';
import type { KeywordColumn } from '../../../../contract/imports/keywords';
import { cleanText } from '../../../collect/text';
import type { Day } from '../../../zone';
import type { KeywordColumns } from './columns';

export type KeywordRow = {
  /** null: the file has no date column. */
  readonly day: Day | null;
  readonly query: string;
  readonly page: string;
  readonly clicks: number;
  readonly impressions: number;
  /** 0: unknown. */
  readonly position: number;
};

const isNothing = (text: string): boolean => /^[-–—]*$/.test(text);

/** `1,234`, `1 234`, `1.234`, and a dash for 0; null for anything else, including formulas. */
export function countOf(cell: string): number | null {
  const text = cell.trim();
  if (text !== '' && isNothing(text)) return 0;
  const digits = /^\d{1,3}(?:([,. '’\u00a0\u202f])\d{3})(?:\1\d{3})*$/.test(text) ? text.replaceAll(/\D/g, '') : text.replace(/\.0+$/, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/** `3.2`, `3,2`; 0 if unknown; null if it is not a position. */
export function positionOf(cell: string): number | null {
  const text = cell.trim();
  if (isNothing(text)) return 0;
  return /^\d{1,6}(?:[.,]\d{1,20})?$/.test(text) ? Number(text.replace(',', '.')) : null;
}

const dayOf = (year: string, month: string, day: string): Day | null => {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || year < '2000' || new Date(at).toISOString().slice(0, 10) !== text ? null : text;
};

/** `2026-11-20`, `2026/11/20`, `20261120`, `2026年11月20日`, and month before day if the year is last, as Bing writes it. A time that follows is ignored. */
export function readDay(cell: string): Day | null {
  const text = cell.trim();
  const found = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T\s].*)?$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (found) return dayOf(found[1] ?? '', found[2] ?? '', found[3] ?? '');
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\s.*)?$/.exec(text);
  return american ? dayOf(american[3] ?? '', american[1] ?? '', american[2] ?? '') : null;
}

/** Two dates in a file name, `关键词_20261101-20261120.csv`. */
export function daysInName(name: string): { readonly from: Day; readonly to: Day } | null {
  const [from, to] = [...name.matchAll(/(?<!\d)(20\d{2})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)/g)].map((found) =>
    dayOf(found[1] ?? '', found[2] ?? '', found[3] ?? ''),
  );
  return from && to && from <= to ? { from, to } : null;
}

/** One row of a report, or the reason why it is rejected. `today`: the last possible day. */
export function keywordRowOf(cells: readonly string[], { at, headers }: KeywordColumns, today: Day): KeywordRow | ImportReason {
  if (cells.slice(headers.length).some((text) => text.trim() !== '')) return 'bad_row';
  const cell = (column: KeywordColumn): string | undefined => {
    const place = at[column];
    return place === undefined ? undefined : cells[place];
  };
  const [clicks, impressions] = [cell('clicks'), cell('impressions')];
  if (clicks === undefined || impressions === undefined) return 'bad_row';
  const query = cleanText(cell('query') ?? '', keywordLimits.query);
  if (query === '') return 'no_keyword';
  const day = at.date === undefined ? null : readDay(cell('date') ?? '');
  if (at.date !== undefined && day === null) return 'bad_time';
  if (day !== null && day > today) return 'future';
  const numbers = [countOf(clicks), countOf(impressions), positionOf(cell('position') ?? '')] as const;
  if (numbers[0] === null || numbers[1] === null || numbers[2] === null) return 'bad_number';
  return {
    day,
    query,
    page: cleanText(cell('page') ?? '', keywordLimits.page),
    clicks: numbers[0],
    impressions: numbers[1],
    position: numbers[2],
  };
}
