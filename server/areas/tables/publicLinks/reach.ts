import type { openLayouts } from '../../../../contract/tables/publicLinks';
import type { SystemField } from '../../../../contract/tables/terms';
import type { RecordSort } from '../../../../contract/tables/recordFilter';
import type { Reach, Reader } from '../core/access';
import { inputsOf } from '../core/formula/links';
import { referencedBy } from '../core/formula/shapes';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { linkEnds } from '../core/read';
import { isSystem } from '../core/read/operand';
import type { contentViews } from '../core/schema';

type View = Pick<typeof contentViews.$inferSelect, 'kind' | 'query'>;
export type ShownColumn = FieldModel | SystemField;
export const idOf = (column: ShownColumn): string => (typeof column === 'string' ? column : column.id);
/** A grouping column; dates may be grouped by month or year. */
export type ShownGroup = { readonly column: ShownColumn; readonly unit: 'day' | 'month' | 'year' | null };
export type LinkView = {
  readonly columns: readonly ShownColumn[];
  readonly groups: readonly ShownGroup[];
  readonly layout: (typeof openLayouts)[number];
  /** The groups first, then the view's order. */
  readonly sort: readonly RecordSort[];
};

/** System values that are public: not who wrote a record, and not when it will be published. */
const openSystem: ReadonlySet<SystemField> = new Set<SystemField>(['$n', '$state', '$createdAt', '$updatedAt', '$publishedAt']);

/** Sensitive itself, or computed from sensitive fields. */
const isSensitive = (table: TableModel, field: FieldModel): boolean => field.sensitive || inputsOf(table, field, referencedBy).some((input) => input.sensitive);
/** Buttons are excluded because their addresses contain values of other fields. */
const isOpen = (table: TableModel, field: FieldModel): boolean =>
  !field.hidden && field.problem === null && field.type !== 'password' && field.type !== 'button' && !isSensitive(table, field);

const sortable: ReadonlySet<string> = new Set(['text', 'number', 'boolean', 'date', 'datetime', 'time', 'record']);
export const isSortable = (column: ShownColumn): boolean => typeof column === 'string' || (sortable.has(column.yields) && column.type !== 'json');

/** Visible columns of the view, without those hidden from the public. Always includes the primary field. */
function columnsOf(table: TableModel, { query }: View, drafts: boolean): ShownColumn[] {
  const primary = table.primaryField;
  const plain = [...table.fields].sort((a, b) => Number(b.id === primary) - Number(a.id === primary)).map((field) => field.id);
  const names = query.columns?.map(({ field }) => field) ?? [...plain.slice(0, 1), ...(table.drafts ? ['$state'] : []), ...plain.slice(1)];
  const all = primary === null || names.includes(primary) ? names : [primary, ...names];
  return [...new Set(all)].flatMap((name): ShownColumn[] => {
    if (isSystem(name)) return openSystem.has(name) && (name !== '$state' || (drafts && table.drafts)) ? [name] : [];
    const field = table.fields.find((one) => one.id === name);
    return field && isOpen(table, field) ? [field] : [];
  });
}

/**
 * What a link shows, from the current view and table. Sort keys and groups by hidden fields are dropped, because an order reveals values. The columns of
 * a board and the days of a calendar are part of the view, whether or not its cards show that field.
 */
export function shownOf(table: TableModel, view: View, drafts: boolean): LinkView {
  const columns = columnsOf(table, view, drafts);
  const sortableColumn = (name: string | null): ShownColumn | undefined => columns.find((column) => idOf(column) === name && isSortable(column));
  const byName = (text: string, heads = false): ShownGroup[] => {
    const [name = '', unit] = text.split(':');
    const column = sortableColumn(name) ?? (heads ? table.fields.find((field) => field.id === name && isOpen(table, field) && isSortable(field)) : undefined);
    if (!column) return [];
    const kind = typeof column === 'string' ? (column === '$n' || column === '$state' ? 'text' : 'datetime') : column.yields;
    const dated = kind === 'date' || kind === 'datetime';
    return [{ column, unit: dated ? (unit === 'month' || unit === 'year' ? unit : 'day') : null }];
  };
  const { kind, query } = view;
  const groups =
    kind === 'kanban'
      ? byName(query.stack ?? '', true)
      : kind === 'calendar'
        ? byName(query.date ?? '', true)
        : kind === 'grid'
          ? query.group.flatMap((name) => byName(name))
          : [];
  const layout =
    kind === 'gallery'
      ? 'cards'
      : kind === 'kanban' && groups.length > 0
        ? 'board'
        : kind === 'calendar' && groups.length > 0
          ? 'days'
          : kind === 'grid'
            ? 'grid'
            : 'cards';
  const own = query.sort.filter(({ field }) => sortableColumn(field));
  const grouped = groups.map(({ column }) => ({ field: idOf(column), descending: own.find(({ field }) => field === idOf(column))?.descending ?? false }));
  const rest = own.filter(({ field }) => !grouped.some((one) => one.field === field));
  return { columns, groups, layout, sort: [...grouped, ...rest] };
}

/**
 * The reader of a link: the columns of its view, of the records that match the view's filter, and from other tables only what these columns need: names
 * of linked records, and targets of lookups and rollups. The filter belongs to the view, so it may use hidden fields.
 */
export function readerOfLink(model: SiteModel, table: TableModel, view: View, { columns, groups }: LinkView): Reader {
  const fields = new Map<string, Set<string>>();
  const visitedIds = new Set<string>();
  const add = (where: TableModel, field: FieldModel | undefined): void => {
    if (!field || field.type === 'password' || isSensitive(where, field)) return;
    const known = fields.get(where.id) ?? new Set();
    fields.set(where.id, known);
    // Of its own table a link only shows its columns, even if another table links back to it.
    if (where !== table || linkTypes.has(field.type)) known.add(field.id);
    through(where, field);
  };
  function through(where: TableModel, field: FieldModel): void {
    if (visitedIds.has(field.id)) return;
    visitedIds.add(field.id);
    const ends = linkEnds({ model }, field);
    if (ends) {
      if (!fields.has(ends.table.id)) fields.set(ends.table.id, new Set());
      if (ends.mirrored) add(ends.table, ends.mirrored);
      const name = ends.table.fields.find((one) => one.id === ends.table.primaryField);
      if (name && !name.hidden) add(ends.table, name);
    }
    const relation = where.fields.find((one) => one.id === field.options.relation);
    if ((field.type === 'lookup' || field.type === 'rollup') && relation) {
      through(where, relation);
      const there = linkEnds({ model }, relation)?.table;
      add(
        there ?? where,
        there?.fields.find((one) => one.id === field.options.target),
      );
    }
    for (const input of inputsOf(where, field, referencedBy)) if (input !== field) through(where, input);
  }
  const visibleColumns = [...columns, ...groups.map(({ column }) => column)];
  for (const column of visibleColumns) if (typeof column !== 'string') through(table, column);
  const own = new Set([...(fields.get(table.id) ?? []), ...visibleColumns.map(idOf)]);
  const only = new Map<string, Reach>([...fields].map(([id, known]) => [id, { fields: known, filter: null }]));
  only.set(table.id, { fields: own, filter: view.query.filter });
  return { role: 'public', userId: null, only };
}
const linkTypes: ReadonlySet<FieldModel['type']> = new Set(['relation', 'relations', 'inverse']);
