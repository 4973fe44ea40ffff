import type { ContentTable, TableField } from '@contract/tables/schemas';
import type { ViewQuery } from '@contract/tables/views';
import type { ViewKind } from '@contract/tables/terms';
import { plainQuery } from './viewState';

/** The name of a new view: its kind, numbered where that name is in use. The list of all records is the first grid. */
export function newViewName(kind: ViewKind, kindName: string, titles: readonly string[]): string {
  let count = kind === 'grid' ? 2 : 1;
  const name = (): string => (count === 1 ? kindName : `${kindName} ${String(count)}`);
  while (titles.includes(name())) count += 1;
  return name();
}

const fieldsOf = (table: ContentTable, fits: (field: ContentTable['fields'][number]) => boolean) =>
  table.fields.filter(fits).map(({ id, title }) => ({ id, name: title }));
export const stackFields = (table: ContentTable) => fieldsOf(table, ({ type }) => type === 'select');
export const dateFields = (table: ContentTable) => fieldsOf(table, ({ type }) => type === 'date' || type === 'datetime');
export const coverFields = (table: ContentTable) => fieldsOf(table, ({ type }) => type === 'image' || type === 'svg');

/** The part of the query that names the field on which a kind of view is based; null: it needs none. */
const basisOf: Readonly<Record<ViewKind, 'date' | 'stack' | 'cover' | null>> = { grid: null, form: null, calendar: 'date', kanban: 'stack', gallery: 'cover' };
type Named = Pick<TableField, 'id'> & { readonly name: string };

/** The fields on which a view of this kind may be based. */
export function basisFields(table: ContentTable, kind: ViewKind): readonly Named[] {
  const basis = basisOf[kind];
  if (basis === null) return [];
  return basis === 'date' ? dateFields(table) : basis === 'stack' ? stackFields(table) : coverFields(table);
}

/** The initial query of a new view that is based on this field, if on any. */
export function newViewQuery(table: ContentTable, kind: ViewKind, field: string | null): ViewQuery {
  const basis = basisOf[kind];
  const cover = kind === 'kanban' ? (coverFields(table)[0]?.id ?? null) : null;
  return { ...plainQuery, cover, ...(basis === null ? {} : { [basis]: field }) };
}
