import type { FastifyInstance } from 'fastify';
import { guestbookEndpoints as endpoints } from '../../../contract/guestbook/schemas';
import type { Context } from '../../context';
import { route } from '../../http/route';
import { defineJob, enqueue } from '../../worker';
import type { Area } from '../area';
import * as queries from './queries';

const pageSize = 50;
const toEntry = ({ id, text, createdAt }: queries.EntryRecord) => ({ id: String(id), text, createdAt: createdAt.toISOString() });

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.guestbook, async ({ params }) => (await queries.newestEntries(db, params.siteId, pageSize)).map(toEntry));
  route(app, ctx, endpoints.addGuestbookEntry, async ({ site, body }) =>
    toEntry(await queries.insertEntry(db, { siteId: site.id, text: body.text, createdAt: new Date(ctx.now()) })),
  );
  route(app, ctx, endpoints.clearGuestbook, async ({ site }) => {
    await enqueue(ctx, 'guestbook.clear', { siteId: site.id, label: site.id, once: true });
    return null;
  });
}

/** Removes entries a page at a time. A restart continues with what is left, so that nothing has to be saved. */
export const clearGuestbook = defineJob('guestbook.clear', async (job, ctx) => {
  const { db } = ctx.postgres;
  for (let removed = 0; ;) {
    const entries = await queries.newestEntries(db, job.siteId ?? '', pageSize);
    if (entries.length === 0) return;
    await queries.deleteEntries(
      db,
      entries.map(({ id }) => id),
    );
    removed += entries.length;
    await job.progress(removed, null);
  }
});

export const area: Area = { register, jobs: [clearGuestbook] };
