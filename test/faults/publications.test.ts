import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { ContentTable } from '../../contract/tables/schemas';
import { users } from '../../server/areas/account/schema';
import { callsOf } from '../integration/tablesLifeSupport';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { withMail } from '../support/mails';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { until } from '../support/until';

/** The real program is killed (SIGKILL) while it publishes scheduled records, and restarted. The test's app queries the same stores. */
jest.setTimeout(180_000);
const count = 3000;
const folder = temporaryFolder();
let app: TestApp;
let program: RunningProgram;
let port: number;
async function start(): Promise<void> {
  program = await runProgramOn(app.stores, { DATA_DIR: folder.dataDir, PORT: String(port), SMTP_URL: withMail.smtpUrl, MAIL_FROM: withMail.mailFrom });
}
beforeAll(async () => {
  app = await makeTestApp({ config: { ...withMail, dataDir: folder.dataDir } });
  port = await freePort();
});
afterAll(async () => {
  program.process.kill('SIGTERM');
  await program.ended;
  await app.close();
  folder.remove();
});

test('each scheduled publication succeeds or fails once, with one mail', async () => {
  const owner = await app.signUpOwner();
  const site = await app.makeSite(owner);
  const calls = callsOf(owner, site);
  await app.ctx.postgres.db.update(users).set({ email: 'owner@example.com', emailVerifiedAt: new Date() }).where(eq(users.id, owner.userId));
  const posts: ContentTable = await calls.table({
    title: 'Posts',
    drafts: true,
    fields: [
      { type: 'text', title: 'Title', key: 'title' },
      { type: 'text', title: 'Summary', key: 'summary', required: true },
    ],
  });
  const at = new Date(Date.now() + 60_000).toISOString();
  for (let from = 0; from < count; from += 1000) {
    // Every third record is incomplete.
    const records = Array.from({ length: 1000 }, (_, n) => ({ title: `t${from + n}`, summary: (from + n) % 3 === 0 ? '' : 's' }));
    const ids = await calls.add(posts.id, records);
    await calls.post(`tables/${posts.id}/records/publish`, { target: { ids }, at });
  }
  const { pool } = app.ctx.postgres;
  // All publications are due.
  const over = new Date(Date.now() - 60_000).toISOString();
  await pool.query(`UPDATE s_${site.id}.${posts.id} SET publish_at = $1`, [over]);
  await pool.query(`UPDATE s_${site.id}.h SET patch = jsonb_set(patch, '{$publishAt}', to_jsonb($1::text)) WHERE patch ? '$publishAt'`, [over]);
  await pool.query('UPDATE content_tables SET due_at = $1 WHERE id = $2', [over, posts.id]);
  const done = async (): Promise<number> =>
    (await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM s_${site.id}.${posts.id} WHERE publish_at IS NULL`)).rows[0]?.n ?? 0;

  await start();
  await until(async () => (await done()) > 0, 60_000);
  program.process.kill('SIGKILL');
  await program.ended;
  // Otherwise nothing was interrupted, and the test proves nothing.
  expect(await done()).toBeLessThan(count);
  await start();
  await until(async () => (await done()) === count, 90_000);

  const published = await pool.query<{ n: number; once: boolean }>(
    `SELECT count(*)::int AS n, bool_and(t.published_rev = t.rev) AS once FROM s_${site.id}.${posts.id} t WHERE t.published_rev IS NOT NULL`,
  );
  expect(published.rows).toEqual([{ n: (count * 2) / 3, once: true }]);
  const lines = await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM s_${site.id}.h WHERE table_id = $1 AND kind = 'publish'`, [posts.id]);
  expect(lines.rows).toEqual([{ n: (count * 2) / 3 }]);
  const failed = await pool.query<{ n: number; reasons: string[] }>(
    `SELECT count(*)::int AS n, array_agg(DISTINCT reason) AS reasons FROM content_publication_failures WHERE table_id = $1`,
    [posts.id],
  );
  expect(failed.rows).toEqual([{ n: count / 3, reasons: ['invalid'] }]);
  // One mail per transaction that recorded failures: neither lost nor repeated after the interruption.
  const mails = await pool.query<{ letters: number; rounds: number }>(
    `SELECT (SELECT count(*)::int FROM outbox WHERE kind = 'tables.publication_failed') AS letters,
       (SELECT count(DISTINCT failed_at)::int FROM content_publication_failures WHERE table_id = $1) AS rounds`,
    [posts.id],
  );
  expect(mails.rows[0]?.letters).toBe(mails.rows[0]?.rounds);
  expect(mails.rows[0]?.letters).toBeGreaterThan(1);
});
