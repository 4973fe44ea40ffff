import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { ViewQuery } from '../../../../contract/tables/views';
import { opsOf, systemKinds } from '../../../../contract/tables/terms';
import type { SystemField, ValueKind } from '../../../../contract/tables/terms';
import { failField } from '../../../http/failure';
import { grantOf } from './access';
import type { Reader } from './access';
import type { FieldModel, SiteModel, TableModel } from './model';

type Condition = Extract<RecordFilter, { readonly field: string }>;
type Leaf = (table: TableModel, condition: Condition, kind: ValueKind) => Condition | null;
const isFilter = (value: unknown): value is RecordFilter => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSystem = (name: string): name is SystemField => Object.hasOwn(systemKinds, name);

/** The table that a relation or inverse leads to. */
export function leadsTo(model: SiteModel, field: FieldModel): TableModel | null {
  const to = field.type === 'inverse' ? model.fieldById.get(field.options.of ?? '')?.table.id : field.options.to;
  return model.tables.find((table) => table.id === to) ?? null;
}

type Named = { readonly id: string; readonly kind: ValueKind; readonly field: FieldModel | null };
/** Resolves a name: a field by id, key or alias, or a system column. */
function namedIn(table: TableModel, name: string): Named | null {
  if (isSystem(name)) return { id: name, kind: systemKinds[name], field: null };
  const field = table.byName.get(name);
  return field ? { id: field.id, kind: field.yields, field } : null;
}

/** The filter with every condition mapped; conditions mapped to null are removed, and so are groups that become empty. */
function mapped(model: SiteModel, table: TableModel, filter: RecordFilter, leaf: Leaf, unknown: (name: string) => void): RecordFilter | null {
  const each = (parts: readonly RecordFilter[]): RecordFilter[] => parts.flatMap((part) => mapped(model, table, part, leaf, unknown) ?? []);
  if ('and' in filter) return someOf(each(filter.and), (and) => ({ and }));
  if ('or' in filter) return someOf(each(filter.or), (or) => ({ or }));
  if ('not' in filter) {
    const not = mapped(model, table, filter.not, leaf, unknown);
    return not && { not };
  }
  const named = namedIn(table, filter.field);
  if (!named) {
    unknown(filter.field);
    return null;
  }
  const condition = leaf(table, { ...filter, field: named.id }, named.kind);
  if (!condition || !isFilter(condition.value)) return condition;
  const other = named.field && leadsTo(model, named.field);
  const value = other && mapped(model, other, condition.value, leaf, unknown);
  return value ? { ...condition, value } : null;
}
const someOf = (parts: readonly RecordFilter[], make: (parts: readonly RecordFilter[]) => RecordFilter): RecordFilter | null =>
  parts.length > 0 ? make(parts) : null;

/** Field types, or kinds of values, that each part of a view accepts. */
const roles = {
  cover: ({ field }: Named) => field !== null && (field.type === 'image' || field.type === 'svg' || field.type === 'file'),
  stack: ({ field }: Named) => field?.type === 'select',
  date: ({ kind }: Named) => kind === 'date' || kind === 'datetime',
  dateEnd: ({ kind }: Named) => kind === 'date' || kind === 'datetime',
  colorBy: ({ field }: Named) => field?.type === 'select',
} as const;
const roleNames = ['cover', 'stack', 'date', 'dateEnd', 'colorBy'] as const;

/**
 * A view's query in stored form: fields by id, so that renaming never breaks it. Throws `invalid_fields` for unknown names and for fields that do not
 * suit their part; fields in the bin are dropped.
 */
export function storedQuery(model: SiteModel, table: TableModel, query: ViewQuery): ViewQuery {
  const gone = new Set(model.deletedTables.concat(model.tables).flatMap((one) => one.deletedFields.map((field) => field.id)));
  const refuse = (part: string) => (name: string) => (gone.has(name) ? undefined : failField(`query.${part}`, 'unknown'));
  const named = (part: string, name: string): Named | null => namedIn(table, name) ?? refuse(part)(name) ?? null;
  const byId = <T extends { readonly field: string }>(part: string, all: readonly T[]): T[] =>
    all.flatMap((one) => {
      const found = named(part, one.field);
      return found ? [{ ...one, field: found.id }] : [];
    });
  const leaf: Leaf = (_table, condition, kind) => (opsOf[kind].includes(condition.op) ? condition : failField('query.filter', 'wrong_type'));
  const inRole = (role: (typeof roleNames)[number]): string | null => {
    const found = query[role] === null ? null : named(role, query[role]);
    return found && !roles[role](found) ? failField(`query.${role}`, 'wrong_type') : (found?.id ?? null);
  };
  return {
    ...query,
    filter: query.filter && mapped(model, table, query.filter, leaf, refuse('filter')),
    sort: byId('sort', query.sort),
    group: query.group.flatMap((text) => {
      const [name = '', unit] = text.split(':');
      const found = named('group', name);
      if (unit !== undefined && unit !== 'month' && unit !== 'year') failField('query.group', 'pattern');
      return found ? [unit === undefined ? found.id : `${found.id}:${unit}`] : [];
    }),
    columns: query.columns && byId('columns', query.columns),
    cover: inRole('cover'),
    stack: inRole('stack'),
    date: inRole('date'),
    dateEnd: inRole('dateEnd'),
    colorBy: inRole('colorBy'),
  };
}

/**
 * A stored query as a reader gets it: without fields that are gone, hidden from the reader, or no longer suitable because their type changed. Dropping a
 * condition never exposes a record, because the table's rules apply separately.
 */
export function visibleQuery(model: SiteModel, table: TableModel, query: ViewQuery, reader: Reader): ViewQuery {
  const sees = (where: TableModel, name: string): Named | null => {
    const found = namedIn(where, name);
    if (!found?.field) return found;
    const grant = grantOf(where, reader, 'read');
    return grant.allowed && grant.covers(found.field) ? found : null;
  };
  const leaf: Leaf = (where, condition, kind) => (sees(where, condition.field) && opsOf[kind].includes(condition.op) ? condition : null);
  const inRole = (role: (typeof roleNames)[number]): string | null => {
    const found = query[role] === null ? null : sees(table, query[role]);
    return found && roles[role](found) ? found.id : null;
  };
  return {
    ...query,
    filter: query.filter && mapped(model, table, query.filter, leaf, () => undefined),
    sort: query.sort.filter(({ field }) => sees(table, field)),
    group: query.group.filter((text) => sees(table, text.split(':')[0] ?? '')),
    columns: query.columns && query.columns.filter(({ field }) => sees(table, field)),
    cover: inRole('cover'),
    stack: inRole('stack'),
    date: inRole('date'),
    dateEnd: inRole('dateEnd'),
    colorBy: inRole('colorBy'),
  };
}

const anybody: Reader = { role: 'admin', userId: null };
/** Whether a view uses something hidden from this reader: saving their version would lose that part. */
export const hidesPart = (model: SiteModel, table: TableModel, query: ViewQuery, reader: Reader): boolean =>
  JSON.stringify(visibleQuery(model, table, query, reader)) !== JSON.stringify(visibleQuery(model, table, query, anybody));
