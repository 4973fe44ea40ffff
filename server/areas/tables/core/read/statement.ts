import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Context } from '../../../../context';
import { textCollation } from '../ddl';
import type { ComputeEnv } from '../formula/env';
import { compileComputed } from '../formula/sql';
import type { FieldModel } from '../model';
import { compileFilter, compileRule } from './filter';
import { newParams, readContextAt } from './readContext';
import type { TableContext } from '../tableContext';
import type { Compilers, Params, ReadContext } from './readContext';

const dialect = new PgDialect();
/** Inserts an expression built elsewhere, moving its parameters to this statement. */
function adopted(expression: SQL, params: Params): string {
  const compiled = dialect.sqlToQuery(expression);
  const before = params.values.length;
  params.values.push(...compiled.params);
  return compiled.sql.replaceAll(/\$(\d+)/g, (_, number: string) => `$${before + Number(number)}`);
}
/** The reverse: turns a text with parameters numbered from 1 into a part of a statement built elsewhere. */
export function asSql(text: string, values: readonly unknown[]): SQL {
  const parts = text.split(/\$(\d+)/);
  return sql.join(parts.map((part, at) => (at % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`)));
}

/** Context for a formula, lookup or rollup on a row. */
function envOf(scope: ReadContext): ComputeEnv {
  return {
    model: scope.model,
    reader: scope.trusted ? { role: 'admin', userId: scope.reader.userId } : scope.reader,
    now: scope.now,
    zone: scope.timeZone,
    locale: scope.locale,
    published: scope.source === 'published',
    hops: scope.hops,
    where: (env, table, alias, filter) => {
      const params = newParams();
      return asSql(compileRule({ ...readContextAt(scope, table, alias), params, hops: env.hops ?? 0 }, filter), params.values);
    },
  };
}

const compilers: Compilers = {
  rule: compileRule,
  filter: (scope, filter) => compileFilter(scope, filter),
  computed: (scope: ReadContext, field: FieldModel) => adopted(compileComputed(envOf(scope), scope.table, field, scope.row), scope.params),
};

/** Starts a statement about records of one table. */
export async function newReadContext(
  ctx: Context,
  context: TableContext,
  locale: string | null = null,
  source: ReadContext['source'] = 'working',
): Promise<ReadContext> {
  const collation = await textCollation(ctx.postgres);
  let rows = 0;
  const nextRow = (): string => `r${rows++}`;
  const { model, table, reader, timeZone } = context;
  return {
    model,
    table,
    reader,
    timeZone,
    row: nextRow(),
    source,
    params: newParams(),
    locale,
    now: ctx.now(),
    collation,
    nextRow,
    trusted: false,
    hops: 0,
    compilers,
  };
}
