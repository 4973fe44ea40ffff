import { jest } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Import } from '../../contract/imports/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { until } from '../support/until';
import { sendChunk } from '../support/sendChunk';

/** The real program is killed (SIGKILL) during a log import and restarted. The test's app uploads and queries on the same stores. */
jest.setTimeout(240_000);
const lines = 120_000;
const folder = temporaryFolder();
let app: TestApp;
let owner: Person;
let program: RunningProgram | null = null;
let port: number;
const start = async (): Promise<RunningProgram> => (program = await runProgramOn(app.stores, { DATA_DIR: folder.dataDir, PORT: String(port) }));
beforeAll(async () => {
  mkdirSync(folder.dataDir);
  app = await makeTestApp({ config: { dataDir: folder.dataDir } });
  owner = await app.signUpOwner();
  port = await freePort();
});
afterAll(async () => {
  program?.process.kill('SIGTERM');
  await program?.ended;
  await app.close();
  folder.remove();
});

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
/** Ten lines a second from 5 000 visitors, each returning every eight minutes. */
function lineAt(n: number): string {
  const at = new Date(Date.UTC(2026, 10, 10) + Math.floor(n / 10) * 1000).toISOString();
  return `203.0.${n % 50}.${Math.floor(n / 50) % 100} - - [10/Nov/2026:${at.slice(11, 19)} +0000] "GET /p${n % 7} HTTP/1.1" 200 1 "-" "${agent}"\n`;
}

test('an import that is killed counts every line once', async () => {
  const site = await app.makeSite(owner, { purpose: 'external', url: 'https://tea.example/', timeZone: 'UTC' });
  const base = `/api/site/${site.id}/als/imports`;
  const content = gzipSync(Array.from({ length: lines }, (_, n) => lineAt(n)).join(''));
  const created = await owner.send('POST', base, { files: [{ name: 'access.log.gz', size: content.length }] });
  if (created.statusCode !== 200) throw new Error(created.body);
  const { id } = created.json<{ data: Import }>().data;
  expect((await sendChunk(owner, `${base}/${id}/files/0`, 0, content)).statusCode).toBe(204);
  expect((await owner.send('POST', `${base}/${id}/start`, { mode: 'count' })).statusCode).toBe(200);

  const { clickhouse, postgres } = app.ctx;
  const count = async (table: 'hits' | 'visits'): Promise<number> => {
    const rows = await clickhouse.query<{ n: string }>(`SELECT toString(count()) AS n FROM ${table} WHERE site_id = {siteId:String}`, {
      params: { siteId: site.id },
    });
    return Number(rows[0]?.n ?? 0);
  };
  const phase = async (): Promise<string | undefined> =>
    (await postgres.pool.query<{ phase: string }>(`SELECT progress->>'phase' AS phase FROM traffic_imports WHERE id = $1`, [id])).rows[0]?.phase;
  async function killWhen(reached: () => Promise<boolean>): Promise<void> {
    const { process, ended } = await start();
    await until(reached, 60_000);
    process.kill('SIGKILL');
    await ended;
    // The killed process's lease would expire only after half a minute.
    await postgres.pool.query(`UPDATE jobs SET lease_until = now() - interval '1 minute' WHERE state = 'running'`);
    // Otherwise nothing was interrupted.
    expect(await phase()).not.toBe('done');
  }
  await killWhen(async () => (await count('hits')) > 0);
  const before = await count('hits');
  await killWhen(async () => (await count('hits')) > before);
  await killWhen(async () => (await phase()) === 'building');
  await start();
  await until(async () => (await phase()) === 'done', 120_000);

  const state = async (): Promise<Import> => (await owner.get(`${base}/${id}`)).json<{ data: Import }>().data;
  await until(async () => (await state()).state === 'done', 30_000);
  expect(await state()).toMatchObject({ report: { lines, accepted: lines, repeated: 0 } });
  const report = await owner.get(`/api/site/${site.id}/als/report?from=2026-11-10&to=2026-11-10&who=all`);
  expect(report.json<{ data: { totals: { views: number } } }>().data.totals.views).toBe(lines);
});
