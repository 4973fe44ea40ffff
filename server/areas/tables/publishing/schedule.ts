import { and, asc, eq, isNull, lte } from 'drizzle-orm';
import type { Context } from '../../../context';
import { Failure } from '../../../http/failure';
import { sqlState } from '../../../stores/postgres/sqlState';
import { sites } from '../../sites/schema';
import { grantOf } from '../core/access';
import { newRecordId } from '../core/ids';
import { siteModel } from '../core/model';
import { contentTables } from '../core/schema';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { permitted, roleNow } from '../core/write/lookups';
import type { TableContext } from '../core/tableContext';
import type { Change, ChangeErrors, WriteTx } from '../core/write/types';
import * as queries from './queries';
import { insertFailures, schedulersOf } from './failures';
import type { FailureReason, PublicationError } from './failures';
import { mailSchedulers } from './mail';

/** Records per transaction. */
const atOnce = 500;

/**
 * Every 15 seconds: publishes and unpublishes due records. A failed publication is recorded with its reason in the transaction that clears its schedule,
 * and whoever scheduled it is notified. Keeps no state outside the database.
 */
export async function publishDue(ctx: Context): Promise<void> {
  const due = await ctx.postgres.db
    .select({ id: contentTables.id, siteId: contentTables.siteId, timeZone: sites.timeZone })
    .from(contentTables)
    .innerJoin(sites, eq(sites.id, contentTables.siteId))
    .where(and(lte(contentTables.dueAt, new Date(ctx.now())), isNull(sites.deletedAt)))
    .orderBy(asc(contentTables.dueAt));
  for (const { id, siteId, timeZone } of due) {
    try {
      const model = await siteModel(ctx, siteId);
      const table = [...model.tables, ...model.deletedTables].find((one) => one.id === id);
      if (!table) continue;
      await publishTable(ctx, { model, table, reader: { role: 'admin', userId: null }, timeZone });
    } catch (error) {
      ctx.log.error('Records of a table could not be published at their time', { siteId, tableId: id, error });
    }
  }
}

async function publishTable(ctx: Context, context: TableContext): Promise<void> {
  const { model, table } = context;
  if (table.drafts) {
    for (;;) {
      const due = await queries.dueRecords(ctx.postgres.db, model.siteId, table.id, new Date(ctx.now()), atOnce);
      if (due.length === 0 || (await publishAll(ctx, context, due)) === 0) break;
    }
  }
  await inWrite(ctx, null, async (w) => {
    // Concurrent schedules are recorded either before this lock or after it.
    await w.tx.select({ id: contentTables.id }).from(contentTables).where(eq(contentTables.id, table.id)).for('update');
    await w.tx
      .update(contentTables)
      .set({ dueAt: table.drafts ? await queries.nextDue(w.tx, model.siteId, table.id) : null })
      .where(eq(contentTables.id, table.id));
  });
}

/** Temporary errors (locked records, changed definitions, an unreachable database) are retried in the next round. Errors of data or limits are final. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Failure ? error.code === 'conflict' || error.code === 'unavailable' : !/^(22|23|54)/.test(sqlState(error) ?? '');

/** If one record makes the whole set fail, halves are tried until it is alone and has failed. Returns how many are done. */
async function publishAll(ctx: Context, context: TableContext, ids: readonly string[]): Promise<number> {
  try {
    return await inWrite(ctx, null, (w) => publishSome(w, context, ids));
  } catch (error) {
    if (isPassing(error)) throw error;
    if (ids.length === 1) {
      ctx.log.warn('A record could not be published at its time', { siteId: context.model.siteId, tableId: context.table.id, error });
      return inWrite(ctx, null, (w) => publishSome(w, context, ids, true));
    }
  }
  const half = Math.ceil(ids.length / 2);
  return (await publishAll(ctx, context, ids.slice(0, half))) + (await publishAll(ctx, context, ids.slice(half)));
}

type Refused = { readonly reason: FailureReason; readonly errors: readonly PublicationError[] };

/** Publishes due records as one batch. `broken`: none of them can be published, for a reason unrelated to them. */
async function publishSome(w: WriteTx, context: TableContext, ids: readonly string[], broken = false): Promise<number> {
  const { model, table } = context;
  const found = await queries.lockDue(w.tx, model.siteId, table.id, w.now, ids);
  if (found.length === 0) return 0;
  const change =
    (kind: 'publish' | 'unpublish') =>
    (id: string): Change => ({ kind, id, table, system: true });
  const [begun, over] = [found.filter((one) => one.begins), found.filter((one) => one.ends).map(({ id }) => id)];
  // After a long downtime both times may have passed: a record that should be unpublished by now is not published again.
  const ended = new Set(over);
  const duePublications = begun.filter(({ id }) => !ended.has(id));
  const schedulers = await schedulersOf(w.tx, model.siteId, table.id, duePublications);
  const refused = new Map<string, Refused>();
  for (const { id } of duePublications) if (broken || table.deletedAt !== null) refused.set(id, { reason: broken ? 'error' : 'table_deleted', errors: [] });
  for (const id of await unentitled(
    w,
    context,
    duePublications.map((one) => one.id),
    schedulers,
  ))
    if (!refused.has(id)) refused.set(id, { reason: 'forbidden', errors: [] });
  const changes = [...duePublications.filter(({ id }) => !refused.has(id)).map(({ id }) => change('publish')(id)), ...over.map(change('unpublish'))];
  if (changes.length > 0) {
    const { results } = await writeBatch(w, context, changes, { origin: 'schedule', errors: 'collect' });
    for (const { id, outcome, errors } of results) if (outcome === 'failed') refused.set(id, { reason: 'invalid', errors: errorsOf(context, errors) });
  }
  const idle = [...refused.keys(), ...begun.filter(({ id }) => ended.has(id)).map(({ id }) => id)];
  const cancellations = idle.map((id): Change => ({ kind: 'schedule', id, table, publishAt: null, system: true }));
  if (cancellations.length > 0) await writeBatch(w, context, cancellations, { origin: 'schedule' });
  const failures = duePublications.flatMap(({ id, publishAt }) => {
    const why = refused.get(id);
    if (!why) return [];
    return [
      {
        id: newRecordId(w.now.getTime()),
        siteId: model.siteId,
        tableId: table.id,
        recordId: id,
        tableTitle: table.title,
        dueAt: new Date(publishAt),
        failedAt: w.now,
        scheduledBy: schedulers.get(id) ?? null,
        reason: why.reason,
        errors: [...why.errors],
      },
    ];
  });
  await insertFailures(w.tx, failures);
  await mailSchedulers(w, context, failures);
  return found.length;
}

/** Records whose scheduler may no longer publish them. If the scheduler is unknown, the schedule applies. */
async function unentitled(w: WriteTx, context: TableContext, ids: readonly string[], schedulers: ReadonlyMap<string, string>): Promise<Set<string>> {
  const refused = new Set<string>();
  const { model, table } = context;
  for (const userId of new Set(schedulers.values())) {
    const own = ids.filter((id) => schedulers.get(id) === userId);
    const role = await roleNow(w.tx, model.siteId, userId);
    const reader = role === null ? null : { role, userId };
    const grants = reader === null ? [] : (['read', 'publish'] as const).map((action) => grantOf(table, reader, action));
    const entitled =
      reader === null || grants.some((grant) => !grant.allowed)
        ? new Set<string>()
        : grants.every((grant) => grant.filter === null)
          ? null
          : await permitted(w, { ...context, reader }, table, own, { grants });
    for (const id of own) if (entitled !== null && !entitled.has(id)) refused.add(id);
  }
  return refused;
}

function errorsOf({ table }: Pick<TableContext, 'table'>, errors: ChangeErrors | null): PublicationError[] {
  return Object.entries(errors ?? {}).flatMap(([name, { code, message, min, max }]) => {
    const field = table.byName.get(name);
    return field ? [{ field: field.id, code, message, min, max }] : [];
  });
}
