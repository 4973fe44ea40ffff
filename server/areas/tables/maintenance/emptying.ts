import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { defineJob } from '../../../worker';
import { record } from '../../audit';
import type { Actor } from '../../audit';
import { requireGrant } from '../core/access';
import { recordsTable } from '../core/ids';
import { allowedInBin, purge } from '../records';
import { siteModel, tableOf } from '../core/model';
import { starterNow } from '../core/starter';
import { inWrite } from '../core/write/call';

/** Records per transaction. */
const atOnce = 500;

const Input = z.object({
  tableId: z.string(),
  userId: z.uuid(),
  timeZone: z.string(),
  /** Excludes records deleted later. */ until: z.string(),
  actor: z.unknown(),
});

/**
 * Permanently deletes the records that were in a table's bin at the time of the request, limited to those that the person may delete now. If interrupted
 * or cancelled, the remaining records stay in the bin, and the next run continues.
 */
export const emptyJob = defineJob('tables.empty', async (job, ctx) => {
  const input = Input.parse(job.input);
  const siteId = job.siteId ?? '';
  const { db } = ctx.postgres;
  let gone = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  let total: number | null = null;
  for (;;) {
    const model = await siteModel(ctx, siteId);
    const table = tableOf(model, input.tableId);
    const role = await starterNow(db, siteId, input.userId);
    const context = { model, table, reader: { role, userId: input.userId }, timeZone: input.timeZone };
    requireGrant(table, context.reader, 'delete');
    const allowed = await allowedInBin(ctx, context);
    const from = sql`FROM ${sql.raw(recordsTable(siteId, table.id))} t WHERE t.deleted_at IS NOT NULL AND t.deleted_at <= ${input.until}::timestamptz AND ${allowed}`;
    total ??= ((await db.execute<{ n: number }>(sql`SELECT count(*)::int AS n ${from}`)).rows[0]?.n ?? 0) + gone;
    await job.progress(gone, total);
    const ids = (await db.execute<{ id: string }>(sql`SELECT t.id ${from} AND t.id > ${after}::uuid ORDER BY t.id LIMIT ${atOnce}`)).rows.map(({ id }) => id);
    if (ids.length === 0) return;
    after = ids.at(-1) ?? after;
    gone += await inWrite(ctx, null, async (w) => {
      const went = await purge(w.tx, model, table, { ids, allowed });
      if (went.length === 0) return 0;
      const target = { kind: 'table', id: table.id, name: table.title };
      await record(ctx, w.tx, input.actor as Actor, { action: 'table.purged', siteId, target, after: { records: went.length } });
      w.after(() => ctx.live.publish({ type: 'records', siteId, tableId: table.id, ids: went.slice(0, 150), by: input.userId }));
      return went.length;
    });
  }
});
