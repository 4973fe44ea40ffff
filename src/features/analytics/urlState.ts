import type { CompareMode, DimensionId, Granularity, MeasureId, Population } from '@contract/analytics/schemas';
import { type Filter, filterText, parseFilter } from './filters';
import { normalizePath } from '@contract/paths';
import { isMeasure } from './measures';
import { type Day, isDay } from '@/lib/days';
import { compareModes } from './choices';
import { compareModeOf, granularitiesFor, orderedRange, type Preset, presetRange, presets, type Range } from './range';

/** The complete state of a report is in its address, so that links, bookmarks and "back" show the same to everyone. */
export type ReportState = {
  readonly preset: Preset | 'custom';
  readonly range: Range;
  readonly compare: CompareMode;
  readonly compareTo: Range | null;
  /** null: derived from the length of the range. */
  readonly gran: Granularity | null;
  readonly filters: readonly Filter[];
  readonly who: Population;
  readonly measures: readonly MeasureId[];
  readonly by: DimensionId | null;
  readonly sort: { readonly id: MeasureId; readonly dir: 'asc' | 'desc' } | null;
  /** Sort order of a time series' rows, the first key decides; null: newest first. */
  readonly order: readonly { readonly id: MeasureId | 'time'; readonly dir: 'asc' | 'desc' }[] | null;
  readonly page: number;
  readonly size: number;
  /** Saved segments by id; their filters apply as well. */
  readonly segment: readonly string[];
  /** Only conversions of this goal count; null: of all goals. */
  readonly goal: string | null;
  /** Columns of the table by id (of a report: its measures); null: the reader's stored choice, or the screen's default. */
  readonly columns: readonly string[] | null;
  /** The open view of a screen (a tab, a kind of histogram); null: the first. */
  readonly view: string | null;
  /** The subject of a block: the page of a flow, the open directory of a tree. */
  readonly at: string | null;
};

export const defaultPreset: Preset = 'last7';
export const defaultCompare: CompareMode = 'previous';
export const pageSizes = [20, 50, 100, 500] as const;
/** Maximum number of lines in a chart (look.md). */
export const maxMeasures = 2;

/** Maximum number of segments of one report (contract/analytics/schemas.ts). */
const mostSegments = 5;
const isId = (text: string | null): text is string => text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const oneOf = <T extends string>(allowed: readonly T[], text: string | null): T | null =>
  (allowed as readonly string[]).includes(text ?? '') ? (text as T) : null;
const days = (from: string | null, to: string | null): Range | null =>
  from !== null && to !== null && isDay(from) && isDay(to) ? orderedRange(from, to) : null;

/** Days that the list of visits is limited to (`?began=2026-11-01~2026-11-20`); on that screen only, not carried to others. */
export const readBegan = (params: URLSearchParams): Range | null => {
  const [from, to] = (params.get('began') ?? '').split('~');
  return days(from ?? null, to ?? null);
};
export const withBegan = (params: URLSearchParams, range: Range | null): URLSearchParams => {
  const next = new URLSearchParams(params);
  if (range === null) next.delete('began');
  else next.set('began', `${range.from}~${range.to}`);
  return next;
};

/** Reads the address. Unknown or impossible values silently fall back to the defaults. */
export const readState = (params: URLSearchParams, today: Day): ReportState => {
  const custom = days(params.get('from'), params.get('to'));
  const preset = custom !== null ? 'custom' : (oneOf(presets, params.get('range')) ?? defaultPreset);
  const range = custom ?? presetRange(preset as Preset, today);
  const compareTo = days(params.get('cfrom'), params.get('cto'));
  const compare = oneOf(compareModes, params.get('compare')) ?? defaultCompare;
  const gran = oneOf(granularitiesFor(range, today), params.get('gran') as Granularity | null);
  const chosen = (params.get('show') ?? '').split(',').filter(isMeasure);
  const [sortBy = '', sortDir] = (params.get('sort') ?? '').split('.');
  const order = (params.get('order') ?? '').split(',').flatMap((text) => {
    const [id = '', dir] = text.split('.');
    return (id === 'time' || isMeasure(id)) && (dir === 'asc' || dir === 'desc') ? [{ id, dir } as const] : [];
  });
  const columns = (params.get('cols') ?? '')
    .split(',')
    .filter((id) => /^[a-zA-Z]{1,30}$/.test(id))
    .slice(0, 40);
  const goal = params.get('goal');
  const page = Number(params.get('page'));
  const size = Number(params.get('size'));
  return {
    preset,
    range,
    compare: compare === 'custom' && compareTo === null ? defaultCompare : compare,
    compareTo: compare === 'custom' ? compareTo : null,
    gran,
    filters: params
      .getAll('filter')
      .map(parseFilter)
      .filter((one) => one !== null)
      .slice(0, 20),
    who: oneOf(['humans', 'suspected', 'bots', 'all'] as const, params.get('who')) ?? 'humans',
    measures: [...new Set(chosen)].slice(0, maxMeasures),
    by: parseFilter(`${params.get('by') ?? ''}:is:`)?.by ?? null,
    sort: isMeasure(sortBy) ? { id: sortBy, dir: sortDir === 'asc' ? 'asc' : 'desc' } : null,
    order: order.length === 0 ? null : order.slice(0, 4),
    page: Number.isInteger(page) && page >= 1 && page <= 1000 ? page : 1,
    size: (pageSizes as readonly number[]).includes(size) ? size : pageSizes[0],
    segment: [...new Set(params.getAll('segment').filter(isId))].slice(0, mostSegments),
    goal: isId(goal) ? goal : null,
    columns: columns.length === 0 ? null : [...new Set(columns)],
    view: params.get('view')?.slice(0, 40) ?? null,
    // Open directories, one per line.
    at: params.get('at')?.split('\n').map(normalizePath).join('\n').slice(0, 2000) ?? null,
  };
};

/** Writes the address; defaults are omitted, and other parameters are preserved. */
export const writeState = (state: ReportState, previous: URLSearchParams): URLSearchParams => {
  const params = new URLSearchParams(previous);
  const put = (name: string, value: string | null): void => {
    if (value === null) params.delete(name);
    else params.set(name, value);
  };
  put('range', state.preset === 'custom' || state.preset === defaultPreset ? null : state.preset);
  put('from', state.preset === 'custom' ? state.range.from : null);
  put('to', state.preset === 'custom' ? state.range.to : null);
  put('compare', state.compare === defaultCompare ? null : state.compare);
  put('cfrom', state.compare === 'custom' ? (state.compareTo?.from ?? null) : null);
  put('cto', state.compare === 'custom' ? (state.compareTo?.to ?? null) : null);
  put('gran', state.gran);
  put('who', state.who === 'humans' ? null : state.who);
  put('show', state.measures.length === 0 ? null : state.measures.join(','));
  put('by', state.by);
  put('sort', state.sort === null ? null : `${state.sort.id}.${state.sort.dir}`);
  put('order', state.order?.map(({ id, dir }) => `${id}.${dir}`).join(',') ?? null);
  put('page', state.page === 1 ? null : String(state.page));
  put('size', state.size === pageSizes[0] ? null : String(state.size));
  put('goal', state.goal);
  put('cols', state.columns?.join(',') ?? null);
  put('view', state.view);
  put('at', state.at);
  params.delete('segment');
  for (const id of state.segment) params.append('segment', id);
  params.delete('filter');
  for (const filter of state.filters) params.append('filter', filterText(filter));
  return params;
};

/** A change of what is counted returns to the first page; sorting and paging leave the rest unchanged. */
export const changed = (state: ReportState, change: Partial<ReportState>): ReportState => {
  const keepsPage = 'page' in change || Object.keys(change).every((key) => key === 'measures' || key === 'gran' || key === 'columns' || key === 'order');
  const next = { ...state, ...change };
  return keepsPage ? next : { ...next, page: 1 };
};

/** The query of the report call for this state; a block adds `by`, `series`, `sort` and paging. */
export const reportQuery = (state: ReportState) => ({
  from: state.range.from,
  to: state.range.to,
  ...(state.gran === null ? {} : { gran: state.gran }),
  compare: compareModeOf(state.preset, state.compare),
  ...(state.compare === 'custom' && state.compareTo !== null ? { compareFrom: state.compareTo.from, compareTo: state.compareTo.to } : {}),
  filter: state.filters.map(filterText),
  who: state.who,
  ...(state.segment.length === 0 ? {} : { segment: [...state.segment] }),
  ...(state.goal === null ? {} : { goal: state.goal }),
});

/** What carries over to another screen: range, comparison, filters and visitors, but not the table layout. */
export const carried = (state: ReportState): ReportState => ({
  ...state,
  measures: [],
  by: null,
  sort: null,
  order: null,
  page: 1,
  columns: null,
  view: null,
  at: null,
});
