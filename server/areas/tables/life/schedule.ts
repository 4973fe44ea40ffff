import { and, asc, eq, isNull, lte } from 'drizzle-orm';
import type { Context } from '../../../context';
import { sites } from '../../sites/schema';
import { siteModel, tableOf } from '../model';
import { contentTables } from '../schema';
import { inWrite } from '../write/call';
import { writeBatch } from '../write/engine';
import type { Change, Scene } from '../write/types';
import * as queries from './lifeQueries';

/** Records of one transaction. */
const atOnce = 500;

/** Every quarter of a minute: publishes records whose time has come, and takes back those whose time is over. Nothing is remembered outside the database. */
export async function publishDue(ctx: Context): Promise<void> {
  const due = await ctx.postgres.db
    .select({ id: contentTables.id, siteId: contentTables.siteId, timeZone: sites.timeZone })
    .from(contentTables)
    .innerJoin(sites, eq(sites.id, contentTables.siteId))
    .where(and(lte(contentTables.dueAt, new Date(ctx.now())), isNull(contentTables.deletedAt), isNull(sites.deletedAt)))
    .orderBy(asc(contentTables.dueAt));
  for (const { id, siteId, timeZone } of due) {
    try {
      const model = await siteModel(ctx, siteId);
      const scene = { model, table: tableOf(model, id), reader: { role: 'admin', userId: null }, timeZone } as const;
      while (await publishSome(ctx, scene));
    } catch (error) {
      ctx.log.error('Records of a table could not be published at their time', { siteId, tableId: id, error });
    }
  }
}

/** Some of the records of a table that are due, as one batch; false where that was all. */
async function publishSome(ctx: Context, scene: Scene): Promise<boolean> {
  const { model, table } = scene;
  return inWrite(ctx, null, async (w) => {
    const found = table.drafts ? await queries.lockDue(w.tx, model.siteId, table.id, w.now, atOnce) : [];
    if (found.length > 0) {
      const change =
        (kind: 'publish' | 'unpublish') =>
        (id: string): Change => ({ kind, id, system: true });
      const [begun, over] = [found.filter((one) => one.begins).map(({ id }) => id), found.filter((one) => one.ends).map(({ id }) => id)];
      // After a long sleep both may have passed: what was to be over by now is not shown again.
      const ended = new Set(over);
      const changes = [...begun.filter((id) => !ended.has(id)).map(change('publish')), ...over.map(change('unpublish'))];
      const { results } = await writeBatch(w, scene, changes, { door: 'schedule', faults: 'collect' });
      // What must not be published (it is not complete) loses its time, and stays a draft that can be seen as such.
      const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
      const idle = [...failed, ...begun.filter((id) => ended.has(id))];
      const given = idle.map((id): Change => ({ kind: 'schedule', id, publishAt: null, system: true }));
      if (given.length > 0) await writeBatch(w, scene, given, { door: 'schedule' });
    }
    if (found.length >= atOnce) return true;
    // Whoever plans something meanwhile has noted it before this is locked, or will afterwards.
    await w.tx.select({ id: contentTables.id }).from(contentTables).where(eq(contentTables.id, table.id)).for('update');
    await w.tx
      .update(contentTables)
      .set({ dueAt: table.drafts ? await queries.nextDue(w.tx, model.siteId, table.id) : null })
      .where(eq(contentTables.id, table.id));
    return false;
  });
}
