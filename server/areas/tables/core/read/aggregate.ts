import type { RecordLabels } from '../../../../../contract/tables/records';
import { aggregates, aggregatesOf, columnOf } from '../../../../../contract/tables/terms';
import type { Aggregate, ColumnKind } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { failField } from '../../../../http/failure';
import type { TableModel } from '../model';
import { isEmpty } from './conditions';
import type { Used } from './filter';
import { addNames, addPeople, noLabels } from './labels';
import { readContextFor, whereSql } from './list';
import type { Which } from './list';
import { linkEnds } from './links';
import { operandOf } from './operand';
import type { Operand } from './operand';
import { askingLong } from './run';
import { orderSql } from './sort';
import { fromTable } from './readContext';
import type { TableContext } from '../tableContext';
import type { ReadContext } from './readContext';
import { readValue } from './values';
import { noteCost } from './costs';

export type AggregateRequest = Which & {
  /** `f_abc:sum,price:avg` */ readonly of?: string | undefined;
  /** `kind,date:month` */ readonly group?: string | undefined;
};
type Figure = string | number | null;
type Figures = {
  count: number;
  values: Record<string, Figure>;
  groups: { keys: unknown[]; count: number; values: Record<string, Figure> }[];
  more: boolean;
  labels: RecordLabels;
};

const mostGroups = 1000;
const groupLimit = 3;

type FigureQuery = { readonly name: string; readonly sql: string; readonly read: (text: string) => Figure };

const isAggregate = (name: string): name is Aggregate => (aggregates as readonly string[]).includes(name);
const whole = (text: string): Figure => (Number.isSafeInteger(Number(text)) ? Number(text) : text);

function figureOf(scope: ReadContext, part: string): FigureQuery {
  const [name = '', how = ''] = part.split(':');
  const operand = operandOf(scope, name, 'of');
  if (!isAggregate(how) || !aggregatesOf(operand.kind).includes(how)) return failField('of', 'wrong_type');
  if (operand.field?.type === 'password' && how === 'distinct') return failField('of', 'wrong_type');
  const figureQuery = (sql: string, read: FigureQuery['read']): FigureQuery => ({ name: part, sql, read });
  const { sql, column } = operand;
  const empty = operand.column === 'none' ? emptyLinks(scope, operand) : isEmpty(operand);
  switch (how) {
    case 'count':
      return figureQuery('count(*)', whole);
    case 'filled':
      return figureQuery(`count(*) FILTER (WHERE NOT ${empty})`, whole);
    case 'empty':
      return figureQuery(`count(*) FILTER (WHERE ${empty})`, whole);
    case 'distinct':
      return figureQuery(`count(DISTINCT ${sql}) FILTER (WHERE NOT ${empty})`, whole);
    case 'sum':
      return figureQuery(`sum(${sql})`, column === 'bigint' ? whole : (text) => text);
    case 'avg':
      return figureQuery(`trim_scale(round(avg(${sql}), 10))`, (text) => text);
    case 'median':
      return figureQuery(`trim_scale(round((percentile_cont(0.5) WITHIN GROUP (ORDER BY ${sql}::float8))::numeric, 10))`, (text) => text);
    case 'min':
    case 'max':
      return figureQuery(`${how}(${sql})`, (text) => figure(column, text));
  }
}
const figure = (column: ColumnKind, text: string): Figure => {
  const value = readValue(column, text);
  return typeof value === 'number' || typeof value === 'string' ? value : text;
};

/** Links are counted with the same condition as `empty` in a filter. */
function emptyLinks(scope: ReadContext, { field }: Operand): string {
  return field ? scope.compilers.filter(scope, { field: field.id, op: 'empty' }) : 'FALSE';
}

type Key = { readonly sql: string; readonly order: string; readonly read: (text: string | null) => unknown; readonly names: TableModel | 'people' | null };
const groupable = new Set<Operand['kind']>(['text', 'number', 'boolean', 'date', 'datetime', 'time', 'record']);
const steps = { day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' } as const;

function keyOf(scope: ReadContext, part: string, used: Used[]): Key {
  const [name = '', step] = part.split(':');
  const operand = operandOf(scope, name, 'group');
  const { field, kind, column } = operand;
  if (!groupable.has(kind) || field?.type === 'password' || (field && columnOf[field.type] === 'jsonb')) return failField('group', 'wrong_type');
  used.push({ id: field?.id ?? name, indexed: operand.indexed });
  const dated = kind === 'date' || kind === 'datetime';
  if (step !== undefined && !dated) return failField('group', 'wrong_type');
  if (dated) {
    const day = kind === 'datetime' ? `(${operand.sql} AT TIME ZONE ${scope.params.bind(scope.timeZone, 'text')})` : operand.sql;
    const sql = `to_char(${day}, '${steps[step === 'month' || step === 'year' ? step : 'day']}')`;
    return { sql, order: sql, read: (text) => text, names: null };
  }
  const ends = field?.type === 'relation' ? linkEnds(scope, field) : null;
  const names = field?.type === 'user' || name === '$createdBy' || name === '$updatedBy' ? 'people' : (ends?.table ?? null);
  // All empty values form one group, however they are stored.
  const sql = column === 'text' ? `(nullif(${operand.sql}, '') ${scope.collation})` : operand.sql;
  return { sql, order: field?.type === 'select' ? orderSql(scope, operand, name).sql : sql, read: (text) => readValue(column, text), names };
}

const partsOf = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.split(','));

/** Figures over all matching records, and per group. */
export async function aggregateRecords(ctx: Context, context: TableContext, request: AggregateRequest): Promise<Figures> {
  const ask = askingLong(ctx);
  const begin = performance.now();
  const filtered: Used[] = [];
  const total = async () => {
    const scope = await readContextFor(ctx, context, request);
    const where = whereSql(scope, request, filtered);
    const figures = partsOf(request.of).map((part) => figureOf(scope, part));
    const [row = []] = await ask(
      `SELECT ${['count(*)', ...figures.map((one) => one.sql)].join(', ')} FROM ${fromTable(scope)} WHERE ${where}`,
      scope.params.values,
    );
    return { count: Number(row[0] ?? 0), values: valuesOf(figures, row.slice(1)) };
  };
  const grouped: Used[] = [];
  const groups = async () => {
    const names = partsOf(request.group);
    if (names.length === 0) return { groups: [], more: false, labels: noLabels() };
    if (names.length > groupLimit) return failField('group', 'too_long');
    const scope = await readContextFor(ctx, context, request);
    const where = whereSql(scope, request);
    const keys = names.map((name) => keyOf(scope, name, grouped));
    const figures = partsOf(request.of).map((part) => figureOf(scope, part));
    const columns = [...keys.map((key) => key.sql), 'count(*)', ...figures.map((one) => one.sql)];
    const by = keys.map((_, at) => String(at + 1)).join(', ');
    const order = keys.map((key, at) => (key.order === key.sql ? `${at + 1} NULLS LAST` : `min(${key.order}) NULLS LAST, ${at + 1}`)).join(', ');
    const rows = await ask(
      `SELECT ${columns.join(', ')} FROM ${fromTable(scope)} WHERE ${where} GROUP BY ${by} ORDER BY ${order} LIMIT ${scope.params.bind(mostGroups + 1, 'bigint')}`,
      scope.params.values,
    );
    const visibleRows = rows.slice(0, mostGroups);
    const labels = noLabels();
    await Promise.all(
      keys.map(async (key, at) => {
        const ids = new Set(visibleRows.flatMap((row) => row[at] ?? []));
        if (key.names === 'people') await addPeople(ask, labels, ids);
        else if (key.names) await addNames(ask, scope, key.names, [...ids], labels);
      }),
    );
    return {
      groups: visibleRows.map((row) => ({
        keys: keys.map((key, at) => key.read(row[at] ?? null)),
        count: Number(row[keys.length] ?? 0),
        values: valuesOf(figures, row.slice(keys.length + 1)),
      })),
      more: rows.length > mostGroups,
      labels,
    };
  };
  const [all, parts] = await Promise.all([total(), groups()]);
  noteCost(ctx, context.model.siteId, context.table, filtered, grouped, performance.now() - begin);
  return { ...all, ...parts };
}

const valuesOf = (figures: readonly FigureQuery[], row: readonly (string | null)[]): Record<string, Figure> =>
  Object.fromEntries(figures.map((one, at) => [one.name, row[at] === null || row[at] === undefined ? null : one.read(row[at])]));
