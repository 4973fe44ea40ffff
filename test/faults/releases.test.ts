import { jest } from '@jest/globals';
import type { Release } from '../../contract/publishing/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { callsOf } from '../integration/tablesLifeSupport';
import { dataOf, makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { until } from '../support/until';

/** The real program is killed (SIGKILL) in the transaction of a scheduled release, and restarted. The test's app queries the same stores. */
jest.setTimeout(120_000);
const folder = temporaryFolder();
let app: TestApp;
let program: RunningProgram;
let port: number;
async function start(): Promise<void> {
  program = await runProgramOn(app.stores, { DATA_DIR: folder.dataDir, PORT: String(port) });
}
beforeAll(async () => {
  app = await makeTestApp({ config: { dataDir: folder.dataDir } });
  port = await freePort();
});
afterAll(async () => {
  program.process.kill('SIGTERM');
  await program.ended;
  await app.close();
  folder.remove();
});

test('a release that was interrupted is published whole at the next start', async () => {
  const owner = await app.signUpOwner();
  const site = await app.makeSite(owner);
  const calls = callsOf(owner, site);
  const posts: ContentTable = await calls.table({ title: 'Posts', drafts: true, fields: [{ type: 'text', title: 'Title', key: 'title' }] });
  const ids = await calls.add(
    posts.id,
    Array.from({ length: 100 }, (_, n) => ({ title: `t${n}` })),
  );
  const base = `/api/site/${site.id}/setting/releases`;
  const release = async (more: object): Promise<Release> => {
    const { working } = dataOf<{ working: string }>(await owner.get(`${base}/preview`));
    return dataOf(await owner.send('POST', base, { working, ...more }));
  };
  const first = await release({});
  const planned = await release({ records: [{ table: posts.id, ids }], publishAt: new Date(Date.now() + 3_600_000).toISOString() });
  const { pool } = app.ctx.postgres;
  await pool.query(`UPDATE releases SET scheduled_for = now() - interval '1 minute' WHERE id = $1`, [planned.id]);
  const result = async () => {
    const { rows } = await pool.query<{ state: string; live: string; published: number; entries: number }>(
      `SELECT r.state, l.release_id AS live, (SELECT count(*)::int FROM s_${site.id}.${posts.id} WHERE published_rev IS NOT NULL) AS published,
         (SELECT count(*)::int FROM audit_log WHERE site_id = r.site_id AND action = 'publishing.released') AS entries
       FROM releases r JOIN live_releases l ON l.site_id = r.site_id WHERE r.id = $1`,
      [planned.id],
    );
    return rows[0];
  };

  // The pointer to the live release moves last: whoever waits for its row has published the records.
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM live_releases WHERE site_id = $1 FOR UPDATE', [site.id]);
  await start();
  await until(async () => {
    const { rows } = await pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%live_releases%' AND pid <> pg_backend_pid()`,
    );
    return (rows[0]?.n ?? 0) > 0;
  }, 60_000);
  program.process.kill('SIGKILL');
  await program.ended;
  await holder.query('ROLLBACK');
  holder.release();
  expect(await result()).toEqual({ state: 'scheduled', live: first.id, published: 0, entries: 1 });

  await start();
  await until(async () => (await result())?.state === 'published', 60_000);
  expect(await result()).toEqual({ state: 'published', live: planned.id, published: ids.length, entries: 2 });
});
