import type { FieldModel, TableModel } from '../model';
import { columnName, linksTable } from '../ids';
import { fromTable, isLive, isReadable, isTwin, readGrant, readContextAt } from './readContext';
import type { ReadContext } from './readContext';

/** The other end of a relation: its rows, seen from one row of this table. */
export type Linked = {
  readonly scope: ReadContext;
  readonly from: string;
  /** Condition that the other row is linked to this one, is not in the bin, and may be read. */
  readonly where: string;
  /** Order of the links. */
  readonly order: string;
};

/** The table that a relation leads to and, for an inverse, the relation that it mirrors; null if either is gone. */
export function linkEnds(scope: Pick<ReadContext, 'model'>, field: FieldModel): { readonly table: TableModel; readonly mirrored: FieldModel | null } | null {
  if (field.type === 'inverse') {
    const of = scope.model.fieldById.get(field.options.of ?? '');
    return of && (of.field.type === 'relation' || of.field.type === 'relations') ? { table: of.table, mirrored: of.field } : null;
  }
  if (field.type !== 'relation' && field.type !== 'relations') return null;
  const table = scope.model.byName.get(field.options.to ?? '');
  return table ? { table, mirrored: null } : null;
}

/** Condition that the row may be read: its table and the rule's filter. Without it, records of other tables would leak into results. */
export function mayRead(scope: ReadContext): string {
  const grant = readGrant(scope);
  if (!grant.allowed) return 'FALSE';
  return grant.filter ? scope.compilers.rule(scope, grant.filter) : 'TRUE';
}

/** Rows that a link field (`relation`, `relations`, `inverse`) of this row leads to; null if it leads nowhere or the reader may not see the target. */
export function linkedRows(scope: ReadContext, field: FieldModel): Linked | null {
  const ends = linkEnds(scope, field);
  if (!ends) return null;
  const there = readContextAt(scope, ends.table);
  if (!readGrant(there).allowed || (ends.mirrored && !isReadable(there, ends.mirrored))) return null;
  const { siteId } = scope.model;
  const own = `${scope.row}.${columnName(field.id)}`;
  const visible = `${isLive(there)} AND ${mayRead(there)}`;
  const linked = (from: string, on: string, order: string): Linked => ({ scope: there, from, where: `${on} AND ${visible}`, order });
  if (field.type === 'relation') return linked(fromTable(there), `${there.row}.id = ${own}`, `${there.row}.id`);
  if (field.type === 'relations') {
    if (isTwin(scope)) return linked(fromTable(there), `${there.row}.id = ANY(${own})`, `array_position(${own}, ${there.row}.id)`);
    const pair = scope.nextRow();
    return linked(
      `${linksTable(siteId, field.id)} ${pair} JOIN ${fromTable(there)} ON ${there.row}.id = ${pair}.b`,
      `${pair}.a = ${scope.row}.id`,
      `${pair}.ord, ${pair}.b`,
    );
  }
  const mirrored = columnName(ends.mirrored?.id ?? '');
  const byOrder = `${there.row}.ord, ${there.row}.id`;
  if (ends.mirrored?.type === 'relation') return linked(fromTable(there), `${there.row}.${mirrored} = ${scope.row}.id`, byOrder);
  if (isTwin(there)) return linked(fromTable(there), `${there.row}.${mirrored} @> ARRAY[${scope.row}.id]`, byOrder);
  const pair = scope.nextRow();
  const links = linksTable(siteId, mirrored);
  return linked(`${links} ${pair} JOIN ${fromTable(there)} ON ${there.row}.id = ${pair}.a`, `${pair}.b = ${scope.row}.id`, byOrder);
}
