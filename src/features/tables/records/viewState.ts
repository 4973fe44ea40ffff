import type { RecordFilter, RecordSort } from '@contract/tables/recordFilter';
import type { RecordView, ViewQuery } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import { systemKinds, tableLimits } from '@contract/tables/terms';
import type { SystemField } from '@contract/tables/terms';
import type { Address } from './address';

/** The query of a table without a saved view. */
export const plainQuery: ViewQuery = {
  filter: null,
  sort: [],
  group: [],
  columns: null,
  rowHeight: 'short',
  cover: null,
  stack: null,
  date: null,
  dateEnd: null,
  colorBy: null,
  formTitle: '',
  formNote: '',
  formThanks: '',
};
export type Column = NonNullable<ViewQuery['columns']>[number];
/** Parts of a view that are not in the URL. */
export type Draft = Partial<Omit<ViewQuery, 'filter' | 'sort' | 'group'>>;
export type ViewChange = Partial<ViewQuery>;

/** Deep equality as JSON, regardless of key order: the database does not preserve it. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const definedEntries = (value: object): [string, unknown][] => Object.entries(value).filter(([, one]) => one !== undefined);
  const left = definedEntries(a);
  const right = new Map(definedEntries(b));
  return left.length === right.size && left.every(([key, one]) => right.has(key) && same(one, right.get(key)));
}

export const sortText = (sort: readonly RecordSort[]): string => sort.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join(',');
const readSort = (text: string): RecordSort[] =>
  text
    .split(',')
    .filter((part) => /^-?[$\w]+$/.test(part))
    .slice(0, tableLimits.sorts)
    .map((part) => ({ field: part.replace(/^-/, ''), descending: part.startsWith('-') }));
const readFilter = (text: string): RecordFilter | null => {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RecordFilter) : null;
  } catch {
    return null;
  }
};

/** The effective query: the saved one, overridden by the URL and the draft. */
export function effectiveQuery(saved: ViewQuery, draft: Draft, { filter, sort, group }: Pick<Address, 'filter' | 'sort' | 'group'>): ViewQuery {
  return {
    ...saved,
    ...draft,
    filter: filter === '' ? saved.filter : filter === '-' ? null : readFilter(filter),
    sort: sort === '' ? saved.sort : sort === '-' ? [] : readSort(sort),
    group: group === '' ? saved.group : group === '-' ? [] : group.split(',').slice(0, tableLimits.groups),
  };
}

/** How a change of the view changes the URL: values equal to the saved ones are omitted. */
export function toAddress(saved: ViewQuery, { filter, sort, group }: ViewChange): Partial<Pick<Address, 'filter' | 'sort' | 'group'>> {
  return {
    ...(filter === undefined ? {} : { filter: same(filter, saved.filter) ? '' : filter === null ? '-' : JSON.stringify(filter) }),
    ...(sort === undefined ? {} : { sort: same(sort, saved.sort) ? '' : sort.length === 0 ? '-' : sortText(sort) }),
    ...(group === undefined ? {} : { group: same(group, saved.group) ? '' : group.length === 0 ? '-' : group.join(',') }),
  };
}

/** The part of a change that is kept as a draft: only what differs from the saved view. */
export function toDraft(saved: ViewQuery, before: Draft, { filter: _filter, sort: _sort, group: _group, ...rest }: ViewChange): Draft {
  const next: Draft = { ...before, ...rest };
  return Object.fromEntries(Object.entries(next).filter(([key, value]) => !same(value, saved[key as keyof ViewQuery])));
}

const nameOf = (table: ContentTable, view: RecordView | null): string => `console:view:${table.id}:${view?.id ?? 'own'}`;
/** Drafts of saved views last as long as the tab; an arrangement of the table without a view is kept in this browser. */
const storeOf = (view: RecordView | null): Storage => (view ? sessionStorage : localStorage);

export function readDraft(table: ContentTable, view: RecordView | null): Draft {
  try {
    const value = JSON.parse(storeOf(view).getItem(nameOf(table, view)) ?? '{}') as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
export function keepDraft(table: ContentTable, view: RecordView | null, draft: Draft): void {
  try {
    if (Object.keys(draft).length === 0) storeOf(view).removeItem(nameOf(table, view));
    else storeOf(view).setItem(nameOf(table, view), JSON.stringify(draft));
  } catch {
    // Without storage, the draft lasts until the page is left.
  }
}

export const isSystem = (name: string): name is SystemField => name in systemKinds;
/** All columns of a table in its order, system columns last. */
export const allColumns = (table: ContentTable): readonly string[] => [
  ...table.fields.map(({ id }) => id),
  ...(table.drafts ? ['$state', '$publishedAt', '$publishAt'] : []),
  '$n',
  '$createdAt',
  '$createdBy',
  '$updatedAt',
  '$updatedBy',
];

/** How many fields the view hides, without those that the table hides by default. */
export const hiddenFields = (table: ContentTable, query: Pick<ViewQuery, 'columns'>): number => {
  const visible = new Set(visibleColumnsOf(table, query).map(({ field }) => field));
  return table.fields.filter(({ id, hidden }) => !hidden && !visible.has(id)).length;
};

/** Visible columns in order. The primary field is always among them, first unless it was moved. */
export function visibleColumnsOf(table: ContentTable, query: Pick<ViewQuery, 'columns'>): readonly Column[] {
  const known = new Set(allColumns(table));
  const primary = table.primaryField;
  const named = (id: string): Column => (id === primary ? { field: id, pinned: true } : { field: id });
  const fields = table.fields.filter(({ hidden, id }) => !hidden && id !== primary).map(({ id }) => named(id));
  // The primary field, the state of publication, then the rest.
  const list = query.columns?.filter(({ field }) => known.has(field)) ?? [
    ...(primary !== null && known.has(primary) ? [named(primary)] : []),
    ...(table.drafts ? [{ field: '$state' }] : []),
    ...fields,
  ];
  return primary === null || list.some(({ field }) => field === primary) || !known.has(primary) ? list : [{ field: primary, pinned: true }, ...list];
}
