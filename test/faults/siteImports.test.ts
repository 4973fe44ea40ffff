import { jest } from '@jest/globals';
import type { SiteImport } from '../../contract/siteImport/schemas';
import type { SiteParts } from '../../contract/publishing/schemas';
import { importCalls } from '../integration/siteImportSupport';
import { dataOf, makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { pictureOf, zipOf } from '../support/siteArchives';
import { until } from '../support/until';

/** The real program is killed (SIGKILL) while it imports websites, and restarted. The test's app sends the requests on the same stores and folder; it runs no jobs. */
jest.setTimeout(240_000);
const pictures = 24;
const articles = 600;
const folder = temporaryFolder();
let app: TestApp;
let owner: Person;
let i: ReturnType<typeof importCalls>;
let program: RunningProgram;
let ports: { readonly PORT: string; readonly DELIVERY_PORT: string };
const start = async (): Promise<void> => void (program = await runProgramOn(app.stores, { DATA_DIR: folder.dataDir, ...ports }));

beforeAll(async () => {
  ports = { PORT: String(await freePort()), DELIVERY_PORT: String(await freePort()) };
  app = await makeTestApp({ config: { dataDir: folder.dataDir, deliveryPort: Number(ports.DELIVERY_PORT) } });
  owner = await app.signUpOwner();
  i = importCalls(app, owner);
  await start();
});
afterAll(async () => {
  program.process.kill('SIGTERM');
  await program.ended;
  await app.close();
  folder.remove();
});

const one = async (text: string, ...values: unknown[]): Promise<number> =>
  Number((await app.ctx.postgres.pool.query<{ n: string }>(text, values)).rows[0]?.n ?? 0);
const items = (id: string, kind: string): Promise<number> =>
  one(`SELECT count(*) AS n FROM site_import_items WHERE import_id = $1 AND kind = $2 AND outcome <> 'pending'`, id, kind);
/** Starts what a call begins, kills the program whenever the next of some counts exceeds what it was, and waits for the end. */
async function killedInside(id: string, call: string, counts: readonly (() => Promise<number>)[]): Promise<SiteImport> {
  const before = await Promise.all(counts.map((count) => count()));
  expect((await owner.send('POST', `${i.api}/${id}/${call}`)).statusCode).toBe(200);
  for (const [at, count] of counts.entries()) {
    await until(async () => (await count()) > (before[at] ?? 0) || !(await i.isBusy(id)), 60_000);
    program.process.kill('SIGKILL');
    await program.ended;
    // Otherwise nothing was interrupted, and the test proves nothing.
    expect(await i.isBusy(id)).toBe(true);
    // The lease of the killed process would expire only after half a minute.
    await app.ctx.postgres.pool.query(`UPDATE jobs SET lease_until = now() - interval '1 minute' WHERE state = 'running'`);
    await start();
  }
  return i.finished(id);
}
const body = (n: number): string =>
  `<html><head><title>Article ${n}</title></head><body><main><h1>Article ${n}</h1><p>Text ${n} <a href="a-${(n + 1) % articles}.html">next</a> <img src="../img/${n % pictures}.png"></p></main></body></html>`;
async function website(): Promise<Buffer> {
  const files: Record<string, string | Buffer> = { 'site/index.html': '<title>Tea</title><main><h1>Tea</h1><p>Welcome</p></main>' };
  for (let n = 0; n < pictures; n += 1) files[`site/img/${n}.png`] = await pictureOf(`#0000${(n + 16).toString(16)}`);
  for (let n = 0; n < articles; n += 1) files[`site/news/a-${n}.html`] = body(n);
  return zipOf(files);
}
const all = Array.from({ length: articles }, (_, n) => n);
/** Titles of all articles, and the number of the picture that each shows. */
async function articlesOf(siteId: string): Promise<[unknown, string | undefined][]> {
  const rows = [];
  for (let offset = 0; offset <= articles; offset += 500)
    rows.push(
      ...dataOf<{ rows: { values: Record<string, unknown> }[] }>(
        await owner.get(`/api/site/${siteId}/table/tables/posts/records?limit=500&offset=${offset}&names=key`),
      ).rows,
    );
  return rows.map(({ values }) => [values['title'], /\/(\d+)\.png/.exec(String(values['body']))?.[1]]);
}
const byNumber = ([a]: readonly unknown[], [b]: readonly unknown[]): number => Number(String(a).slice(8)) - Number(String(b).slice(8));
const resources = (siteId: string): Promise<number> => one('SELECT count(*) AS n FROM resources WHERE site_id = $1 AND deleted_at IS NULL', siteId);

let imported: SiteImport;
test('an import that is killed writes every record and file once', async () => {
  const found = await i.detect('site.zip', await website());
  await i.map(found, { name: 'Killed' });
  const { id } = found;
  const completed = (kind: string) => () => items(id, kind);
  imported = await killedInside(id, 'run', [
    completed('media'),
    completed('record'),
    async () => one(`SELECT count(*) AS n FROM site_imports WHERE id = $1 AND step = 'check'`, id),
  ]);
  const counts = { failed: 0, pending: 0, skipped: 0 };
  expect(imported).toMatchObject({
    state: 'done',
    records: { created: articles + 1, ...counts },
    media: { created: pictures, ...counts },
    redirects: articles,
  });
  expect(imported.check).toMatchObject({ requested: 2 * articles + 1, brokenCount: 0 });
  const siteId = imported.siteId ?? '';
  expect((await articlesOf(siteId)).sort(byNumber)).toEqual(all.map((n) => [`Article ${n}`, String(n % pictures)]));
  expect(await resources(siteId)).toBe(pictures);
  expect(await one(`SELECT sum(created) AS n FROM content_batches WHERE site_id = $1 AND door = 'website'`, siteId)).toBe(articles + 1);
  const { redirects, routes } = dataOf<SiteParts>(await owner.get(`/api/site/${siteId}/setting/parts`));
  expect(new Set(redirects.content.map(({ from }) => from)).size).toBe(redirects.content.length);
  expect(routes.content.map(({ kind }) => kind).sort()).toEqual(['collection', 'collection', 'template']);
});

test('a killed import of an archive gives the site that was exported', async () => {
  const archive = await i.exported(imported.siteId ?? '');
  const found = await i.detect('copy.site.zip', archive);
  await i.map(found, { name: 'Killed', timeZone: 'UTC' });
  const { id } = found;
  const siteId = async (): Promise<string> => (await i.one(id)).siteId ?? '';
  const done = await killedInside(id, 'run', [
    () => items(id, 'media'),
    async () => {
      const table = (await app.ctx.postgres.pool.query<{ id: string | null }>(`SELECT written->'tables'->>'posts' AS id FROM site_imports WHERE id = $1`, [id]))
        .rows[0]?.id;
      return table ? one(`SELECT count(*) AS n FROM s_${await siteId()}.${table}`) : 0;
    },
  ]);
  expect(done).toMatchObject({ state: 'done', error: null });
  expect(await resources(await siteId())).toBe(pictures);
  expect((await i.exported(await siteId())).equals(archive)).toBe(true);
});

test('a killed undo takes all of the import back', async () => {
  const { id } = imported;
  const siteId = imported.siteId ?? '';
  const undone = () => one('SELECT count(*) AS n FROM content_batches WHERE site_id = $1 AND undone_by IS NOT NULL', siteId);
  expect(await killedInside(id, 'undo', [undone])).toMatchObject({ state: 'undone', left: 0 });
  expect([await i.tables(siteId), await resources(siteId)]).toEqual([[], 0]);
});
