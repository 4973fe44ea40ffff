import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { templateParts } from '../../../../../contract/tables/formula';
import { columnOf, isComputed } from '../../../../../contract/tables/terms';
import type { Aggregate, ValueKind } from '../../../../../contract/tables/terms';
import { users } from '../../../account/schema';
import { grantOf } from '../access';
import { columnName } from '../ids';
import type { FieldModel, TableModel } from '../model';
import type { ComputeEnv } from './env';
import { compileExpression } from './expression';
import { inputsOf, linked } from './links';
import type { Linked } from './links';
import * as p from './sqlParts';
import { checkedFormula, referencedBy, displayKind } from './shapes';

/** Maximum number of records in a list value. */
const mostLinks = 1000;

/**
 * The value of a computed field (formula, lookup, rollup, button) as an expression over the row `alias` of its table, of the type that `field.yields`
 * maps to (`sqlTypeOf` of `sqlParts.ts`). Valid in select, where and order by; it never raises an error. It carries parameters, so a query that groups by
 * it must refer to it by position or through a subquery. Empty texts and lists are null. Always null if the field has a problem, or if the reader may
 * not read its inputs.
 */
export function compileComputed(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  return mayRead(env, table, field) ? computedSql(env, table, field, alias) : p.nothing(field.yields);
}

/** Like `compileComputed`, without the permission check. */
function computedSql(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  if (field.problem !== null) return p.nothing(field.yields);
  switch (field.type) {
    case 'formula':
      return formulaSql(env, table, field, alias);
    case 'button':
      return buttonSql(env, table, field, alias);
    case 'lookup':
      return lookupSql(env, table, field, alias);
    case 'rollup':
      return rollupSql(env, table, field, alias);
    default:
      return sql.raw(`${alias}.${columnName(field.id)}`);
  }
}

/**
 * A computed field with sensitive inputs is itself sensitive: only readers of sensitive fields, and those for whom a rule names it, may read it. Other
 * inputs may be hidden from a reader who was granted the formula: showing a result without its inputs is a normal use of formulas.
 */
function mayRead(env: ComputeEnv, table: TableModel, field: FieldModel): boolean {
  const sensitive = field.sensitive || inputsOf(table, field, referencedBy).some((input) => input.sensitive);
  return grantOf(table, env.reader, 'read').covers({ id: field.id, sensitive });
}

function formulaSql(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  const checked = checkedFormula(table, field);
  if (!checked) return p.nothing(field.yields);
  const value = compileExpression(checked, {
    now: env.now,
    zone: env.zone,
    field: (name) => {
      const input = table.fields.find((one) => one.id === name);
      return input ? inputSql(env, table, input, alias) : p.nothing('text');
    },
  });
  if (checked.type === 'number') return p.finalNumber(value, field.options.decimals);
  return checked.type === 'text' ? sql`nullif(${value}, '')` : value;
}

/** A field as a formula input (`formulaTypeOf`): lists and times are texts. */
function inputSql(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  const value = displaySql(env, table, field, alias);
  switch (displayKind(field, field.yields)) {
    case 'list':
      return sql`array_to_string(${value}, ', ')`;
    case 'time':
      return sql`left((${value})::text, 5)`;
    case 'number':
      return sql`(${value})::numeric`;
    case 'text':
      return sql`(${value} COLLATE "default")`;
    default:
      return value;
  }
}

const titlesOf = (field: FieldModel): SQL =>
  sql`${JSON.stringify(Object.fromEntries((field.options.choices ?? []).map(({ id, title }) => [id, title])))}::jsonb`;

/** A field as shown through a link, of the kind `shownKind`. */
function displaySql(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  if (isComputed(field.type) && field.type !== 'autonumber') return sql`(${computedSql(env, table, field, alias)})`;
  const column = `${alias}.${columnName(field.id)}`;
  switch (field.type) {
    case 'relation':
    case 'relations':
    case 'inverse':
      return namesSql(env, table, field, alias);
    case 'user':
      return sql`(SELECT u.display_name FROM ${users} u WHERE u.id = ${sql.raw(column)})`;
    case 'select':
      return sql`coalesce(${titlesOf(field)} ->> ${sql.raw(column)}, ${sql.raw(column)})`;
    case 'multiSelect':
      return sql`(SELECT array_agg(coalesce(${titlesOf(field)} ->> c, c) ORDER BY i) FROM unnest(${sql.raw(column)}) WITH ORDINALITY AS k(c, i))`;
    default: {
      const locale = env.locale !== null && env.locale !== table.locales[0] && table.locales.includes(env.locale) ? env.locale : null;
      if (!field.localized || locale === null || columnOf[field.type] !== 'text') return sql.raw(column);
      return sql`coalesce(nullif(${sql.raw(`${alias}.tr`)} -> ${locale}::text ->> ${columnName(field.id)}::text, ''), ${sql.raw(column)} COLLATE "default")`;
    }
  }
}

/** Names of linked records: the value of their primary field, or their number. */
function namesSql(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  const at = linked(env, table, field, alias);
  if (!at) return p.nothing(field.type === 'relation' ? 'text' : 'list');
  const primary = at.table.fields.find((one) => one.id === at.table.primaryField);
  const kind = primary && primary.problem === null ? displayKind(primary, primary.yields) : null;
  // A name built from the names of other records could recurse without end.
  const named = primary && kind !== null && kind !== 'object' && kind !== 'list' && !links.has(primary.type) && canRead(at, primary);
  const name = named ? textSql(at.env, at.table, primary, at.alias) : sql`'#' || ${sql.raw(at.alias)}.n`;
  return at.many ? listSql(at, sql`left(${name}, 1000)`) : sql`(SELECT left(${name}, 1000) ${at.from} LIMIT 1)`;
}
const links: ReadonlySet<string> = new Set(['relation', 'relations', 'inverse', 'lookup', 'rollup', 'formula', 'button']);

/** Whether the reader may read a field of linked records, including its inputs there. */
function canRead(at: Linked, field: FieldModel): boolean {
  const sensitive = field.sensitive || inputsOf(at.table, field, referencedBy).some((input) => input.sensitive);
  return field.problem === null && grantOf(at.table, at.env.reader, 'read').covers({ id: field.id, sensitive });
}

function textSql(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  const value = displaySql(env, table, field, alias);
  const kind = displayKind(field, field.yields);
  switch (kind) {
    case 'number':
    case 'boolean':
    case 'date':
    case 'datetime':
      return p.written(kind === 'number' ? sql`(${value})::numeric` : value, kind, env.zone);
    case 'time':
      return sql`left((${value})::text, 5)`;
    default:
      return value;
  }
}

const listSql = (at: Linked, value: SQL): SQL =>
  sql`(SELECT array_agg(q.v) FROM (SELECT ${value} AS v ${at.from} ORDER BY ${at.order} LIMIT ${sql.raw(String(mostLinks))}) q WHERE q.v <> '')`;
/** Flattens lists of lists; `parts` yields the elements of `q.v`. */
const flatSql = (at: Linked, value: SQL, parts: string, aggregate: string): SQL =>
  sql`(SELECT ${sql.raw(aggregate)}(e.v ORDER BY q.i, e.k) FROM (SELECT ${value} AS v, row_number() OVER (ORDER BY ${at.order}) AS i ${at.from} ORDER BY ${at.order} LIMIT ${sql.raw(String(mostLinks))}) q, ${sql.raw(parts)} WITH ORDINALITY AS e(v, k))`;

function targetOf(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): { readonly at: Linked; readonly target: FieldModel | null } | null {
  const relation = table.fields.find((one) => one.id === field.options.relation);
  const at = relation ? linked(env, table, relation, alias) : null;
  if (!at) return null;
  const target = at.table.fields.find((one) => one.id === field.options.target) ?? null;
  return target && !canRead(at, target) ? null : { at, target };
}

function lookupSql(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  const found = targetOf(env, table, field, alias);
  const { at, target } = found ?? {};
  if (!at || !target) return p.nothing(field.yields);
  const value = displaySql(at.env, at.table, target, at.alias);
  const kind = displayKind(target, target.yields);
  if (!at.many) return sql`(SELECT ${value} ${at.from} LIMIT 1)`;
  if (kind === 'list') return flatSql(at, value, 'unnest(q.v)', 'array_agg');
  if (kind === 'object')
    return flatSql(at, value, `jsonb_array_elements(CASE jsonb_typeof(q.v) WHEN 'array' THEN q.v ELSE jsonb_build_array(q.v) END)`, 'jsonb_agg');
  return listSql(at, textSql(at.env, at.table, target, at.alias));
}

function rollupSql(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  const found = targetOf(env, table, field, alias);
  const how = field.options.how;
  if (!found || how === undefined) return p.nothing(field.yields);
  const { at, target } = found;
  if (!target) return how === 'count' ? sql`(SELECT count(*)::numeric ${at.from})` : p.nothing(field.yields);
  const kind = displayKind(target, target.yields) ?? 'text';
  const value = displaySql(at.env, at.table, target, at.alias);
  const rows = sql`(SELECT ${filledValue(value, kind)} AS v ${at.from}) q`;
  return aggregated(how, rows, kind);
}
/** null for values that count as empty. */
function filledValue(value: SQL, kind: ValueKind): SQL {
  if (kind === 'text') return sql`nullif(${value}, '')`;
  if (kind === 'list') return sql`nullif(array_to_string(${value}, ', '), '')`;
  if (kind === 'object') return sql`nullif(nullif(${value}, '[]'::jsonb), 'null'::jsonb)`;
  return kind === 'number' ? sql`(${value})::numeric` : value;
}
function aggregated(how: Aggregate, rows: SQL, kind: ValueKind): SQL {
  switch (how) {
    case 'count':
      return sql`(SELECT count(*)::numeric FROM ${rows})`;
    case 'filled':
      return sql`(SELECT count(q.v)::numeric FROM ${rows})`;
    case 'empty':
      return sql`(SELECT (count(*) - count(q.v))::numeric FROM ${rows})`;
    case 'distinct':
      return sql`(SELECT count(DISTINCT q.v)::numeric FROM ${rows})`;
    case 'sum':
      return p.finalNumber(sql`(SELECT sum(q.v) FROM ${rows})`);
    case 'avg':
      return p.finalNumber(sql`(SELECT ${p.quotient(sql`sum(q.v)`, sql`count(q.v)`)} FROM ${rows})`);
    case 'median':
      // The mean of the one or two middle values; exact, whereas percentile_cont uses floating point.
      return p.finalNumber(sql`(SELECT ${p.quotient(sql`sum(m.v)`, sql`count(m.v)`)} FROM
        (SELECT q.v, row_number() OVER (ORDER BY q.v) AS i, count(*) OVER () AS c FROM ${rows} WHERE q.v IS NOT NULL) m WHERE m.i IN ((m.c + 1) / 2, (m.c + 2) / 2))`);
    case 'min':
    case 'max':
      return kind === 'number' ? p.finalNumber(sql`(SELECT ${sql.raw(how)}(q.v) FROM ${rows})`) : sql`(SELECT ${sql.raw(how)}(q.v) FROM ${rows})`;
  }
}

/** The address of a button, with values encoded. A field that comes first is the address itself and must be one (never a script). */
function buttonSql(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  const parts = templateParts(field.options.url ?? '').map((part, i) => {
    if ('text' in part) return p.textParam(part.text);
    const input = table.fields.find((one) => one.id === part.field);
    const text = input ? textOfInput(env, table, input, alias) : p.nothing('text');
    return i === 0 ? p.once({ a: text }, sql`CASE WHEN v.a ~* '^https?://' THEN v.a END`) : sql`coalesce(${p.encoded(text)}, '')`;
  });
  return parts.length === 0 ? p.nothing('text') : sql`(${sql.join(parts, sql` || `)})`;
}
function textOfInput(env: ComputeEnv, table: TableModel, field: FieldModel, alias: string): SQL {
  return displayKind(field, field.yields) === 'list' ? inputSql(env, table, field, alias) : textSql(env, table, field, alias);
}
