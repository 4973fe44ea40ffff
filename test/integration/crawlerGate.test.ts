import { execFile } from 'node:child_process';
import { urlId } from '../../server/areas/crawler/engine/urlId';
import { fingerprintOf } from '../../server/areas/crawler/rules/issues';
import { recheckJob, recheckRedirects, recheckUrl } from '../../server/areas/crawler/rules';
import { changeHeaders } from '../../server/areas/crawler/secrets';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addCrawler, ownLocalHost, pageOf, startSite, startTestWorker } from '../support/crawlSite';
import type { LocalSite } from '../support/crawlSite';
import { fakeJob } from '../support/fakeJob';

let t: TestApp;
let local: LocalSite;
let worker: ReturnType<typeof startTestWorker>;
let siteId: string;
let crawlerId: string;
let base: string;
let token: string;
beforeAll(async () => {
  t = await makeTestApp({ config: { privateSites: true } });
  const owner = await t.signUpOwner();
  siteId = (await t.makeSite(owner)).id;
  await ownLocalHost(t.ctx, siteId);
  local = await startSite(4);
  worker = startTestWorker(t.ctx);
  crawlerId = await addCrawler(t.ctx, siteId, [`${local.origin}/`]);
  base = await t.app.listen({ port: 0, host: '127.0.0.1' });
  const response = await owner.send('POST', '/api/acc/tokens', { name: 'CI', scopes: ['crawler:read', 'crawler:write'] });
  token = response.json<{ data: { value: string } }>().data.value;
}, 60_000);
afterAll(async () => {
  await worker.close();
  await local.close();
  await t.close();
});

type Outcome = { readonly code: number; readonly out: string; readonly error: string };
/** Runs the program as a build does. */
const gate = (args: readonly string[], value = token): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['scripts/gate.mjs', '--url', base, ...args], { env: { SITEWRIGHT_TOKEN: value } }, (failure, out, error) =>
      resolve({ code: failure === null ? 0 : Number(failure.code), out, error }),
    );
  });

test('a deployment that breaks a link fails with exit code 10', async () => {
  const first = await gate(['--crawler', crawlerId]);
  expect([first.code, first.error]).toEqual([0, '']);
  expect(first.out).toMatch(/^Run 1: completed, 4 pages/);

  local.answer = (_request, response, path) => {
    if (path !== '/p/2') return false;
    response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Gone</title>');
    return true;
  };
  const broken = await gate(['--crawler', crawlerId, '--json']);
  const result = JSON.parse(broken.out) as { counts: Record<string, number>; exceeded: string[]; groups: { rule: string; list: string }[] };
  expect([broken.code, result.exceeded]).toEqual([10, ['error']]);
  expect(result.groups.map(({ rule, list }) => `${rule} ${list}`).sort()).toEqual(['http_client_error new', 'link_broken new']);

  // What is fixed and comes back counts as well.
  const answer = local.answer;
  local.answer = () => false;
  expect((await gate(['--crawler', crawlerId])).code).toBe(0);
  local.answer = answer;
  const back = await gate(['--crawler', crawlerId]);
  expect([back.code, back.out.includes('http_client_error: 1 regressed')]).toEqual([10, true]);
}, 90_000);

test('a check of one address closes its fixed issues at once', async () => {
  const states = async () =>
    (
      await t.ctx.postgres.pool.query('SELECT DISTINCT rule, state FROM crawl_issues WHERE crawler_id = $1 AND rule = ANY($2) ORDER BY rule', [
        crawlerId,
        ['http_client_error', 'link_broken'],
      ])
    ).rows;
  expect(await states()).toEqual([
    { rule: 'http_client_error', state: 'regressed' },
    { rule: 'link_broken', state: 'regressed' },
  ]);
  local.answer = () => false;
  expect(await recheckUrl(t.ctx, crawlerId, `${local.origin}/p/2`)).toMatchObject({ status: 200, error: null, fixed: 1 });
  // Whether another page links to it properly is known to the next run alone.
  expect(await states()).toEqual([
    { rule: 'http_client_error', state: 'fixed' },
    { rule: 'link_broken', state: 'regressed' },
  ]);
  await expect(recheckUrl(t.ctx, crawlerId, `${local.origin}/never`)).rejects.toMatchObject({ code: 'not_found' });
});

test('a check while the server is down closes no issue of the page', async () => {
  local.answer = (_request, response) => {
    response.writeHead(503).end();
    return true;
  };
  const url = `${local.origin}/p/1`;
  expect(await recheckUrl(t.ctx, crawlerId, url)).toMatchObject({ status: 503, fixed: 0 });
  const { rows } = await t.ctx.postgres.pool.query<{ rule: string; state: string }>(
    `SELECT i.rule, i.state FROM crawl_issues i JOIN crawl_urls u ON u.site_id = i.site_id AND u.id = i.url_id
     WHERE i.crawler_id = $1 AND u.url = $2 AND i.rule = ANY($3) ORDER BY i.rule`,
    [crawlerId, url, ['http_server_error', 'mobile_viewport']],
  );
  expect(rows).toEqual([
    { rule: 'http_server_error', state: 'open' },
    { rule: 'mobile_viewport', state: 'open' },
  ]);
});

test('a check without the scripts of a rendered page closes none of its issues', async () => {
  const { pool } = t.ctx.postgres;
  local.answer = (_request, response, path) => {
    if (path !== '/p/1') return false;
    response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(1, 4).replace('</head>', '<meta name="viewport" content="width=device-width"></head>'));
    return true;
  };
  const url = `${local.origin}/p/1`;
  await pool.query(`UPDATE crawl_runs SET config = jsonb_set(config, '{render}', '{"mode": "all", "pages": 10}') WHERE crawler_id = $1`, [crawlerId]);
  await pool.query(
    `UPDATE crawl_pages SET facts = jsonb_set(facts, '{rendering}', '{"problem": null, "raw": {"title": "", "units": 0, "links": 0}}') WHERE url_id = $1`,
    [urlId(siteId, url)],
  );
  const { chromiumPath } = t.ctx.config;
  Object.assign(t.ctx.config, { chromiumPath: 'off' });
  expect(await recheckUrl(t.ctx, crawlerId, url)).toMatchObject({ status: 200, reading: 'no_browser' });
  const viewport = async () =>
    (await pool.query(`SELECT state FROM crawl_issues WHERE crawler_id = $1 AND url_id = $2 AND rule = 'mobile_viewport'`, [crawlerId, urlId(siteId, url)]))
      .rows;
  expect(await viewport()).toEqual([{ state: 'open' }]);
  await pool.query(`UPDATE crawl_runs SET config = config - 'render' WHERE crawler_id = $1`, [crawlerId]);
  expect(await recheckUrl(t.ctx, crawlerId, url)).toMatchObject({ status: 200, reading: 'received' });
  expect(await viewport()).toEqual([{ state: 'fixed' }]);
  Object.assign(t.ctx.config, { chromiumPath });
});

async function addLoop(address: string): Promise<void> {
  const id = urlId(siteId, address);
  await t.ctx.postgres.pool.query(
    `INSERT INTO crawl_issues (crawler_id, site_id, rule, url_id, fingerprint, state, severity, detail, first_run, last_run, impact, changed_at)
     VALUES ($1, $2, 'redirect_loop', $3, decode($4, 'hex'), 'open', 'error', '{"hops": 2}', 1, 1, 0, now())`,
    [crawlerId, siteId, id, fingerprintOf({ rule: 'redirect_loop', urlId: id, subject: '' })],
  );
}

test('a check closes a redirect loop only when the address arrives somewhere', async () => {
  const { pool } = t.ctx.postgres;
  const address = `${local.origin}/p/3`;
  await addLoop(address);
  const read = async () => {
    const sql = `SELECT state, detail->>'hops' AS hops, detail->>'recheckStatus' AS status FROM crawl_issues WHERE crawler_id = $1 AND rule = 'redirect_loop'`;
    return (await pool.query<{ state: string; hops: string; status: string | null }>(sql, [crawlerId])).rows;
  };
  const targets: Record<string, string> = { '/p/3': '/p/2', '/p/2': '/p/3' };
  local.answer = (_request, response, path) => {
    const location = targets[path];
    if (location === undefined) return false;
    response.writeHead(302, { location }).end();
    return true;
  };
  await recheckUrl(t.ctx, crawlerId, address);
  expect(await read()).toEqual([{ state: 'open', hops: '2', status: '302' }]);
  delete targets['/p/2'];
  await recheckUrl(t.ctx, crawlerId, address);
  expect(await read()).toEqual([{ state: 'fixed', hops: '2', status: '200' }]);
  targets['/p/2'] = '/p/3';
  await recheckUrl(t.ctx, crawlerId, address);
  expect(await read()).toEqual([{ state: 'regressed', hops: '2', status: '302' }]);
});

test('a release with other redirects checks addresses that the last run requested', async () => {
  const { pool, db } = t.ctx.postgres;
  const unread = `${local.origin}/unread`;
  await pool.query(`INSERT INTO crawl_urls (id, site_id, url, host, family) VALUES ($1, $2, $3, '127.0.0.1', '/unread')`, [
    urlId(siteId, unread),
    siteId,
    unread,
  ]);
  await addLoop(unread);
  local.answer = () => false;
  await db.transaction((tx) => recheckRedirects(t.ctx, { id: siteId, name: 'Tea', userId: null }, tx));
  expect((await pool.query(`SELECT site_id, label FROM jobs WHERE kind = 'crawler.recheck'`)).rows).toEqual([{ site_id: siteId, label: 'Tea' }]);
  const states = async () =>
    (
      await pool.query(
        `SELECT u.url, i.state FROM crawl_issues i JOIN crawl_urls u ON u.site_id = i.site_id AND u.id = i.url_id WHERE i.rule = 'redirect_loop' ORDER BY u.url`,
      )
    ).rows;
  expect(await states()).toEqual([
    { url: `${local.origin}/p/3`, state: 'regressed' },
    { url: unread, state: 'open' },
  ]);
  await recheckJob.run(fakeJob({ kind: 'crawler.recheck', siteId, input: {} }), t.ctx);
  expect(await states()).toEqual([
    { url: `${local.origin}/p/3`, state: 'fixed' },
    { url: unread, state: 'open' },
  ]);
});

test('a check sends the secret headers of the crawler', async () => {
  await t.ctx.postgres.pool.query('UPDATE crawlers SET secrets = $2 WHERE id = $1', [crawlerId, changeHeaders(t.ctx, null, { 'x-staging': 'secret' })]);
  const received: unknown[] = [];
  local.answer = (request) => {
    received.push(request.headers['x-staging']);
    return false;
  };
  await recheckUrl(t.ctx, crawlerId, `${local.origin}/p/1`);
  expect(received).toEqual(['secret']);
});

test('passes if the only earlier run failed', async () => {
  const another = await addCrawler(t.ctx, siteId, [`${local.origin}/`]);
  await t.ctx.postgres.pool.query(
    `INSERT INTO crawl_runs (crawler_id, site_id, number, trigger, state, config, verified, counters, created_at, finished_at)
     SELECT c.id, c.site_id, 1, 'manual', 'failed', c.config, true, (SELECT counters FROM crawl_runs LIMIT 1), now(), now() FROM crawlers c WHERE c.id = $1`,
    [another],
  );
  local.answer = (_request, response, path) => {
    if (path !== '/p/2') return false;
    response.writeHead(404).end();
    return true;
  };
  const result = await gate(['--crawler', another]);
  expect([result.code, result.out.split(':', 1)[0]]).toEqual([0, 'Run 2']);
}, 60_000);

test('says what is wrong with its use', async () => {
  const [noCrawler, noToken, wrongToken, unknown] = await Promise.all([
    gate([]),
    gate(['--crawler', crawlerId], ''),
    gate(['--crawler', crawlerId], 'swt_wrong'),
    gate(['--crawler', '00000000-0000-4000-8000-000000000000']),
  ]);
  expect([noCrawler.code, noToken.code, wrongToken.code, unknown.code]).toEqual([2, 2, 1, 1]);
  expect([noCrawler.error, noToken.error]).toEqual([expect.stringContaining('--crawler'), expect.stringContaining('SITEWRIGHT_TOKEN')]);
  expect([wrongToken.error, unknown.error]).toEqual([expect.stringContaining('401'), expect.stringContaining('404')]);
}, 60_000);
