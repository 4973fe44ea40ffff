import type { RecordFilter, RecordSort } from '../../../../../contract/tables/recordFilter';
import type { ContentRecord, RecordLabels } from '../../../../../contract/tables/records';
import { tableLimits } from '../../../../../contract/tables/terms';
import type { RecordAction } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { Failure, failField } from '../../../../http/failure';
import { requireGrant } from '../access';
import type { FieldModel } from '../model';
import { noteCost } from './costs';
import type { Cost } from './costs';
import { compileFilter } from './filter';
import type { Used } from './filter';
import { addLinks, addNames, noLabels } from './labels';
import { mayRead } from './links';
import { askPacked, asking, askingLong } from './run';
import type { Ask } from './run';
import { searchSql } from './search';
import { beforePlace, orderName, readCursor, sortKeys, stretches, writeCursor } from './sort';
import type { Place, SortKey } from './sort';
import { fieldNamed, fromTable, isLive, isTwin, readableFields } from './readContext';
import type { TableContext } from '../tableContext';
import type { ReadContext } from './readContext';
import { newReadContext } from './statement';
import { named, readBy, recordOf, selectionOf } from './values';
import type { Raw, ReadRecord } from './values';
import { isUuid } from '../../../../../contract/uuid';

/** Selects records; shared by all record queries. */
export type Which = {
  readonly filter?: RecordFilter | null | undefined;
  readonly q?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly locale?: string | undefined;
  /** Records in the bin instead; requires permission to delete. */
  readonly trash?: boolean | undefined;
  /** Only records that have a translation into this language; all of them in the first language of the table. */
  readonly existsIn?: string | undefined;
  /** Published state, as the public sees it. */
  readonly published?: boolean | undefined;
};
export type ListQuery = Which & {
  readonly sort?: readonly RecordSort[] | undefined;
  /** Ids, keys or aliases; omitted: all that the reader may see. */
  readonly fields?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit: number;
  readonly count?: 'none' | 'capped' | 'exact' | undefined;
  readonly names?: 'key' | 'id' | undefined;
};
export type ListResult = {
  readonly rows: ContentRecord[];
  readonly labels: RecordLabels;
  readonly next: string | null;
  readonly total: number | null;
  readonly more: boolean;
  readonly cost: Cost;
};

export const readContextFor = (ctx: Context, context: TableContext, which: Pick<Which, 'locale' | 'published'>): Promise<ReadContext> =>
  newReadContext(ctx, context, which.locale ?? null, which.published ? 'published' : 'working');

/** Condition that selects the matching records among those that the reader may read. Refuses readers without access to the table or its bin. */
export function whereSql(scope: ReadContext, which: Which, used?: Used[]): string {
  const { table, reader } = scope;
  requireGrant(table, reader, 'read');
  const parts = [mayRead(scope)];
  if (which.trash) {
    const grant = requireGrant(table, reader, 'delete');
    if (isTwin(scope)) parts.push('FALSE');
    else parts.push(`${scope.row}.deleted_at IS NOT NULL`);
    if (grant.filter) parts.push(scope.compilers.rule(scope, grant.filter));
  } else parts.push(isLive(scope));
  if (which.ids)
    parts.push(
      `${scope.row}.id = ANY(${scope.params.bind(
        which.ids.map((id) => (isUuid(id) ? id : failField('ids', 'wrong_type'))),
        'uuid[]',
      )})`,
    );
  if (which.existsIn !== undefined && which.existsIn !== table.locales[0])
    parts.push(`jsonb_exists(${scope.row}.tr, ${scope.params.bind(which.existsIn, 'text')})`);
  if (which.filter) parts.push(compileFilter(scope, which.filter, used));
  if (which.q !== undefined && which.q !== '') parts.push(searchSql(scope, which.q));
  return parts.filter((part) => part !== 'TRUE').join(' AND ') || 'TRUE';
}

/** Fields to return: those named, or all that the reader may see. */
export function requestedFields(scope: ReadContext, names: readonly string[] | undefined): FieldModel[] {
  if (!names) return readableFields(scope);
  return [...new Set(names.filter((name) => name !== '' && name !== '-' && !name.startsWith('$')).map((name) => fieldNamed(scope, name, 'fields')))];
}

/** Beyond this offset, rows are skipped by id alone, and whole rows are read only for the page. */
const farOffset = 500;

type Page = { readonly rows: ReadRecord[]; readonly last: Place | null; readonly more: boolean };

async function pageOf(
  ask: Ask,
  scope: ReadContext,
  where: string,
  keys: readonly SortKey[],
  after: Place | null,
  fields: readonly FieldModel[],
  offset: number,
  limit: number,
  by: 'id' | 'key',
): Promise<Page> {
  const far = offset >= farOffset;
  const selection = selectionOf(scope, fields);
  const columns = far ? [`${scope.row}.id`] : [...selection.sql];
  // The position where the page ends comes from selected columns if possible.
  const place = [...keys.map((key) => key.sql), `${scope.row}.ord`].map((sql) => {
    const known = columns.indexOf(sql);
    return known >= 0 ? known : columns.push(sql) - 1;
  });
  const parts = stretches(scope, keys, after).map(
    (part) =>
      (selected: string): string =>
        `SELECT ${selected} FROM ${fromTable(scope)} WHERE ${where} AND ${part.where} ORDER BY ${part.order}`,
  );
  const found = await stretched(ask, scope, columns, parts, offset, limit + 1);
  const pageRows = found.slice(0, limit);
  const ending = pageRows.at(-1);
  const ends = place.map((at) => ending?.[at] ?? null);
  const last = ending ? { keys: ends.slice(0, keys.length), ord: ends.at(-1) ?? '', id: ending[0] ?? '' } : null;
  const raws = far
    ? await rowsOf(
        ask,
        scope,
        fields,
        pageRows.map((raw) => raw[0] ?? ''),
      )
    : pageRows;
  return { rows: raws.map((raw) => recordOf(selection, raw, by)), last, more: found.length > limit };
}

/**
 * Rows of successive ranges of an order, as texts of `SELECT`s of `columns`, of which the first is the id. The first range usually suffices, and the
 * second need not even be planned.
 */
async function stretched(
  ask: Ask,
  scope: ReadContext,
  columns: readonly string[],
  parts: readonly ((selected: string) => string)[],
  offset: number,
  limit: number,
): Promise<Raw[]> {
  const bind = (count: number): string => scope.params.bind(count, 'bigint');
  const queryRows = (textOf: (selected: string) => string): Promise<Raw[]> => askPacked(ask, columns, textOf, scope.params.values);
  const [first, second] = parts;
  const atOnce = (): Promise<Raw[]> => {
    // The second range runs only if the first has too few rows, because each has a limit and neither runs in parallel.
    const [need, most, over] = [bind(offset + limit), bind(limit), bind(offset)];
    return queryRows((selected) => `${parts.map((part) => `(${part(selected)} LIMIT ${need})`).join(' UNION ALL ')} LIMIT ${most} OFFSET ${over}`);
  };
  if (!first || (second && offset > 0)) return atOnce();
  const [most, over] = [bind(limit), offset === 0 ? '' : ` OFFSET ${bind(offset)}`];
  const found = await queryRows((selected) => `${first(selected)} LIMIT ${most}${over}`);
  if (!second || found.length === limit) return found;
  const left = bind(limit - found.length);
  const rest = await queryRows((selected) => `${second(selected)} LIMIT ${left}`);
  // A record that loses its value in between appears in both.
  const there = new Set(found.map((raw) => raw[0]));
  return rest.some((raw) => there.has(raw[0])) ? atOnce() : [...found, ...rest];
}

/** Whole rows in the order of `ids`; rows deleted meanwhile are omitted. */
async function rowsOf(ask: Ask, scope: ReadContext, fields: readonly FieldModel[], ids: readonly string[]): Promise<Raw[]> {
  if (ids.length === 0) return [];
  const boundIds = scope.params.bind(ids, 'uuid[]');
  const found = await askPacked(
    ask,
    selectionOf(scope, fields).sql,
    (selected) => `SELECT ${selected} FROM ${fromTable(scope)} WHERE ${scope.row}.id = ANY(${boundIds})`,
    scope.params.values,
  );
  const byId = new Map(found.map((raw) => [raw[0], raw]));
  return ids.map((id) => byId.get(id)).filter((raw) => raw !== undefined);
}

type Total = { readonly total: number | null; readonly more: boolean };
const noTotal: Total = { total: null, more: false };

/** Capped at 10,000; a count that times out does not withhold the rows. */
async function totalOf(ctx: Context, context: TableContext, query: ListQuery): Promise<Total> {
  if (query.count !== 'capped' && query.count !== 'exact') return noTotal;
  const scope = await readContextFor(ctx, context, query);
  const from = `FROM ${fromTable(scope)} WHERE ${whereSql(scope, query)}`;
  if (query.count === 'exact') {
    const [row] = await askingLong(ctx)(`SELECT count(*) ${from}`, scope.params.values);
    return { total: Number(row?.[0] ?? 0), more: false };
  }
  try {
    const limit = scope.params.bind(tableLimits.count + 1, 'bigint');
    const [row] = await asking(ctx, context.model.revision)(`SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${limit}) counted`, scope.params.values);
    const counted = Number(row?.[0] ?? 0);
    return { total: Math.min(counted, tableLimits.count), more: counted > tableLimits.count };
  } catch (error) {
    if (error instanceof Failure && error.code === 'too_slow') return { total: null, more: true };
    throw error;
  }
}

export async function listRecords(ctx: Context, context: TableContext, query: ListQuery): Promise<ListResult> {
  const scope = await readContextFor(ctx, context, query);
  const filtered: Used[] = [];
  const sorted: Used[] = [];
  const where = whereSql(scope, query, filtered);
  const sort = query.sort ?? [];
  const keys = sortKeys(scope, sort, sorted);
  const name = orderName(scope, sort);
  const after = query.cursor === undefined ? null : readCursor(name, keys, query.cursor);
  const fields = requestedFields(scope, query.fields);
  const by = readBy(fields, query.names);
  const ask = asking(ctx, context.model.revision);
  const begin = performance.now();
  // Runs in parallel; its failure is handled below.
  const total = totalOf(ctx, context, query);
  total.catch(() => undefined);
  const page = await placed(pageOf(ask, scope, where, keys, after, fields, query.offset ?? 0, query.limit, by), after !== null);
  const cost = noteCost(ctx, context.model.siteId, context.table, filtered, sorted, performance.now() - begin);
  const [labels, counted] = await Promise.all([addLinks(ask, scope, page.rows, fields), total]);
  return {
    rows: by === 'key' ? page.rows : page.rows.map((record) => named(record, fields, query.names ?? 'key')),
    labels,
    next: page.more && page.last ? writeCursor(name, page.last) : null,
    ...counted,
    cost,
  };
}

/** Cursor values that do not parse as their column types (SQLSTATE class 22) mean that the cursor was tampered with. */
async function placed<T>(page: Promise<T>, byCursor: boolean): Promise<T> {
  try {
    return await page;
  } catch (error) {
    if (byCursor && error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22'))
      return failField('cursor', 'pattern');
    throw error;
  }
}

/** Records with full values and labels, in the order of `ids`; those that the reader may not see are omitted. */
export async function recordsByIds(
  ctx: Context,
  context: TableContext,
  ids: readonly string[],
  which: Pick<Which, 'locale' | 'published' | 'trash'> & { readonly names?: 'key' | 'id' } = {},
): Promise<{ readonly rows: ContentRecord[]; readonly labels: RecordLabels }> {
  const scope = await readContextFor(ctx, context, which);
  const where = whereSql(scope, { ...which, ids });
  const fields = readableFields(scope);
  const selection = selectionOf(scope, fields);
  const ask = asking(ctx, context.model.revision);
  const found = await askPacked(ask, selection.sql, (selected) => `SELECT ${selected} FROM ${fromTable(scope)} WHERE ${where}`, scope.params.values, {
    few: ids.length < 5,
  });
  const byId = new Map(found.map((raw) => [raw[0], recordOf(selection, raw)]));
  const rows = ids.flatMap((id) => byId.get(id.toLowerCase()) ?? []);
  const labels = await addLinks(ask, scope, rows, fields);
  return { rows: rows.map((record) => named(record, fields, which.names ?? 'key')), labels };
}

/** Names of records by id, limited to those that the reader may see. */
export async function recordNames(ctx: Context, context: TableContext, ids: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const labels = noLabels();
  await addNames(asking(ctx, context.model.revision), await readContextFor(ctx, context, {}), context.table, ids, labels);
  return labels.records;
}

/** How many records precede one under a filter and an order; null if it does not match. */
export async function positionOf(
  ctx: Context,
  context: TableContext,
  id: string,
  query: Which & { readonly sort?: readonly RecordSort[] | undefined },
): Promise<number | null> {
  const here = await readContextFor(ctx, context, query);
  const at = await askingLong(ctx)(
    `SELECT ${[...sortKeys(here, query.sort ?? []).map((key) => `(${key.sql})::text`), `${here.row}.ord::text`, `${here.row}.id::text`].join(', ')}
     FROM ${fromTable(here)} WHERE ${whereSql(here, { ...query, ids: [id] })}`,
    here.params.values,
  );
  const [found] = at;
  if (!found) return null;
  const place: Place = { keys: found.slice(0, -2), ord: found.at(-2) ?? '', id: found.at(-1) ?? '' };
  const scope = await readContextFor(ctx, context, query);
  const before = beforePlace(scope, sortKeys(scope, query.sort ?? []), place);
  const [row] = await askingLong(ctx)(`SELECT count(*) FROM ${fromTable(scope)} WHERE ${whereSql(scope, query)} AND ${before}`, scope.params.values);
  return Number(row?.[0] ?? 0);
}

/**
 * All matching records in batches, for exports and jobs. Each batch is a separate query, so that nothing is held open; records added behind the current
 * position are included.
 */
export async function* readAll(
  ctx: Context,
  context: TableContext,
  query: Omit<ListQuery, 'limit' | 'cursor' | 'offset' | 'count'>,
  piece: number = tableLimits.page,
): AsyncGenerator<Pick<ListResult, 'rows' | 'labels'>> {
  let cursor: string | null = null;
  do {
    const page: ListResult = await listRecords(ctx, context, { ...query, limit: piece, ...(cursor === null ? {} : { cursor }) });
    if (page.rows.length > 0) yield page;
    cursor = page.next;
  } while (cursor !== null);
}

/**
 * Ids of the matching records on which `action` is allowed, in manual order; at most `limit`, after `after` (the last of the previous batch). Throws
 * `forbidden` if the reader may not perform the action at all.
 */
export async function matchingIds(
  ctx: Context,
  context: TableContext,
  which: Which,
  { action = 'read', limit, after = null }: { readonly action?: RecordAction; readonly limit: number; readonly after?: string | null },
): Promise<string[]> {
  const scope = await readContextFor(ctx, context, which);
  const grant = requireGrant(context.table, context.reader, action);
  const parts = [whereSql(scope, which)];
  if (grant.filter) parts.push(scope.compilers.rule(scope, grant.filter));
  if (after !== null) {
    const other = scope.nextRow();
    parts.push(
      `(${scope.row}.ord, ${scope.row}.id) > (SELECT ${other}.ord, ${other}.id FROM ${fromTable({ ...scope, row: other })} WHERE ${other}.id = ${scope.params.bind(after, 'uuid')})`,
    );
  }
  const text = `SELECT ${scope.row}.id FROM ${fromTable(scope)} WHERE ${parts.join(' AND ')} ORDER BY ${scope.row}.ord, ${scope.row}.id LIMIT ${scope.params.bind(limit, 'bigint')}`;
  return (await askingLong(ctx)(text, scope.params.values)).map((raw) => raw[0] ?? '');
}
