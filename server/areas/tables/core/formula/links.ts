import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { grantOf } from '../access';
import { columnName, linksTable, publishedTable, recordsTable } from '../ids';
import type { FieldModel, SiteModel, TableModel } from '../model';
import type { ComputeEnv } from './env';

/** Target of a relation, and whether it links to one record or many; null if the target is gone. */
type Route = { readonly table: TableModel; /** For an inverse: the relation that it mirrors. */ readonly of: FieldModel | null; readonly many: boolean };
export function routeOf(model: SiteModel, field: FieldModel | undefined): Route | null {
  if (field?.type === 'inverse') {
    const of = model.fieldById.get(field.options.of ?? '');
    return of && (of.field.type === 'relation' || of.field.type === 'relations') ? { table: of.table, of: of.field, many: true } : null;
  }
  if (field?.type !== 'relation' && field?.type !== 'relations') return null;
  const table = model.byName.get(field.options.to ?? '');
  return table ? { table, of: null, many: field.type === 'relations' } : null;
}

/** Fields of the same record that a formula or button depends on, through other formulas too. Relations count as themselves, whatever they lead to. */
export function inputsOf(table: TableModel, field: FieldModel, referenced: (field: FieldModel) => readonly string[]): FieldModel[] {
  const inputs = new Map<string, FieldModel>();
  const open = [field];
  for (let one = open.pop(); one; one = open.pop()) {
    const names = one.type === 'lookup' || one.type === 'rollup' ? [one.options.relation ?? ''] : referenced(one);
    for (const name of names) {
      const input = table.fields.find((other) => other.id === name);
      if (!input || inputs.has(input.id)) continue;
      inputs.set(input.id, input);
      open.push(input);
    }
  }
  return [...inputs.values()];
}

/** The records that a relation leads to from one row, limited to those that the reader may read. */
export type Linked = {
  readonly env: ComputeEnv;
  readonly table: TableModel;
  readonly alias: string;
  readonly many: boolean;
  readonly from: SQL;
  readonly order: SQL;
};
const raw = (text: string): SQL => sql.raw(text);
const isTwin = (env: ComputeEnv, table: TableModel): boolean => env.published && table.drafts;

/** null: the reader may not read the other table. */
export function linked(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): Linked | null {
  const route = routeOf(env.model, field);
  if (!route) return null;
  const { table: there, of, many } = route;
  const grant = grantOf(there, env.reader, 'read');
  if (!grant.allowed || (of && !grant.covers(of))) return null;
  const { siteId } = env.model;
  const hops = (env.hops ?? 0) + 1;
  const next: ComputeEnv = { ...env, hops };
  const row = `x${hops}`;
  const twin = isTwin(env, there);
  const rows = `${twin ? publishedTable(siteId, there.id) : recordsTable(siteId, there.id)} ${row}`;
  const live = twin ? raw('') : raw(` AND ${row}.deleted_at IS NULL`);
  const visible = grant.filter ? sql`${live} AND ${env.where(next, there, row, grant.filter)}` : live;
  const found = (from: string, on: string, order: string): Linked => ({
    env: next,
    table: there,
    alias: row,
    many,
    from: sql`${raw(`FROM ${from} WHERE ${on}`)}${visible}`,
    order: raw(order),
  });
  const column = columnName((of ?? field).id);
  if (field.type === 'relation') return found(rows, `${row}.id = ${alias}.${column}`, `${row}.id`);
  if (field.type === 'relations') {
    if (isTwin(env, table)) return found(rows, `${row}.id = ANY(${alias}.${column})`, `array_position(${alias}.${column}, ${row}.id)`);
    return found(`${linksTable(siteId, field.id)} k${hops} JOIN ${rows} ON ${row}.id = k${hops}.b`, `k${hops}.a = ${alias}.id`, `k${hops}.ord, k${hops}.b`);
  }
  const byOrder = `${row}.ord, ${row}.id`;
  if (of?.type === 'relation') return found(rows, `${row}.${column} = ${alias}.id`, byOrder);
  if (twin) return found(rows, `${row}.${column} @> ARRAY[${alias}.id]`, byOrder);
  return found(`${linksTable(siteId, column)} k${hops} JOIN ${rows} ON ${row}.id = k${hops}.a`, `k${hops}.b = ${alias}.id`, byOrder);
}
