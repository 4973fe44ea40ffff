import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { WARCParser } from 'warcio';
import { defaultConfig } from '../../contract/crawler/config';
import type { CrawlerConfig } from '../../contract/crawler/config';
import type { Crawler, CrawlerInput, CrawlRun, CrawlRunDetail } from '../../contract/crawler/schemas';
import type { Site } from '../../contract/sites/schemas';
import { area as crawlerArea } from '../../server/areas/crawler';
import { startWorker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { ownLocalHost, readRunRow, startSite, startTestWorker, textOf, untilState } from '../support/crawlSite';
import type { LocalSite } from '../support/crawlSite';
import { runSchedule } from '../support/schedules';
import { addTestTable } from '../support/tables';
import { until } from '../support/until';

let t: TestApp;
let owner: Person;
let site: Site;
let other: Site;
let local: LocalSite;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  t = await makeTestApp({ config: { privateSites: true } });
  owner = await t.signUpOwner();
  [site, other] = [await t.makeSite(owner), await t.makeSite(owner, { name: 'Other' })];
  await ownLocalHost(t.ctx, site.id);
  local = await startSite(12);
  const [crawls, jobs] = [startTestWorker(t.ctx), startWorker(t.ctx, crawlerArea.jobs ?? [], [], { pollEvery: 30 })];
  closing.push(
    () => crawls.close(),
    () => jobs.close(),
    () => local.close(),
    () => t.close(),
  );
});
beforeEach(() => {
  local.requests.clear();
  local.answer = () => false;
});
afterAll(async () => {
  for (const close of closing) await close();
});

const configOf = (changes: Partial<CrawlerConfig> = {}): CrawlerConfig => ({
  ...defaultConfig([`${local.origin}/`]),
  politeness: { connections: 8, requestsPerSecond: 200, obeyRobots: true },
  ...changes,
});
const inputOf = (changes: Partial<CrawlerInput> = {}): CrawlerInput => ({
  name: 'Weekly',
  kind: 'audit',
  config: configOf(),
  schedule: null,
  timeZone: 'Asia/Shanghai',
  enabled: true,
  retainedRuns: 5,
  alerts: { completed: true, newErrors: true },
  secrets: {},
  ...changes,
});
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const data = <T>(answer: { json: () => unknown; statusCode: number; body: string }): T => {
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
  return (answer.json() as { data: T }).data;
};
const add = async (changes: Partial<CrawlerInput> = {}, siteId = site.id): Promise<Crawler> =>
  data(await owner.send('POST', `/api/dev/sites/${siteId}/crawlers`, inputOf(changes)));
const crawlerPath = ({ id }: Pick<Crawler, 'id'>): string => `/api/dev/crawlers/${id}`;
const start = async (crawler: Crawler): Promise<CrawlRun> => data(await owner.send('POST', `${crawlerPath(crawler)}/runs`));
const ended = ['completed', 'limited', 'failed', 'stopped'];
async function finished(crawler: Crawler): Promise<CrawlRunDetail> {
  const { id } = await start(crawler);
  await untilState(t.ctx, id, ended);
  return data(await owner.get(`/api/dev/crawl-runs/${id}`));
}
async function personWith(role: 'viewer' | 'analyst' | 'admin', siteId = site.id): Promise<Person> {
  const person = await t.makePerson('member');
  await t.grant(siteId, person.userId, role);
  return person;
}

test('secrets of headers are stored sealed and never returned', async () => {
  const crawler = await add({ secrets: { 'X-Key': 'open-sesame', Authorization: 'Bearer abc' } });
  const answer = await owner.get(crawlerPath(crawler));
  expect([answer.body.includes('open-sesame'), data<Crawler>(answer).secretNames]).toEqual([false, ['Authorization', 'X-Key']]);
  const { rows } = await t.ctx.postgres.pool.query<{ text: string }>('SELECT crawlers::text AS text FROM crawlers');
  expect(rows.some(({ text }) => text.includes('open-sesame') || text.includes(Buffer.from('open-sesame').toString('hex')))).toBe(false);
  const change = await owner.send('PUT', crawlerPath(crawler), inputOf({ secrets: { 'X-Key': null } }), { 'if-match': '"1"' });
  expect(data<Crawler>(change).secretNames).toEqual(['Authorization']);
  const audit = await t.ctx.postgres.pool.query<{ text: string }>("SELECT audit_log::text AS text FROM audit_log WHERE action LIKE 'crawler.%'");
  expect(audit.rows.length).toBeGreaterThan(1);
  expect(audit.rows.some(({ text }) => text.includes('sesame'))).toBe(false);
});

test('a change needs the present revision, and a deletion the name', async () => {
  const crawler = await add({ name: 'Revised' });
  const change = (revision: number) => owner.send('PUT', crawlerPath(crawler), inputOf({ name: 'Revised 2' }), { 'if-match': `"${revision}"` });
  expect([(await change(1)).statusCode, (await change(1)).json<{ code: string }>().code]).toEqual([200, 'stale_revision']);
  const remove = (confirm: string) => owner.send('POST', `${crawlerPath(crawler)}/remove`, { confirm });
  expect([(await remove('Revised')).statusCode, (await remove('Revised 2')).statusCode, (await owner.get(crawlerPath(crawler))).statusCode]).toEqual([
    422, 204, 404,
  ]);
});

test('what the engine could not use is refused at its field', async () => {
  const refused = async (changes: Partial<CrawlerInput>) =>
    Object.keys((await owner.send('POST', `/api/dev/sites/${site.id}/crawlers`, inputOf(changes))).json<{ fields?: object }>().fields ?? {});
  const scope = configOf().scope;
  const column = { name: 'a', type: 'text', from: 'css', expression: 'h1[', attribute: '', many: false, required: false } as const;
  expect(await refused({ schedule: 'every day' })).toEqual(['schedule']);
  expect(await refused({ schedule: '* * * * *' })).toEqual(['schedule']);
  // Whatever the time is, some of the next times are far apart.
  expect(await refused({ schedule: '0,15,30,45,46 * * * *' })).toEqual(['schedule']);
  expect(await refused({ schedule: '0,50 * * * *' })).toEqual(['schedule']);
  expect(await refused({ timeZone: 'Mars/Olympus' })).toEqual(['timeZone']);
  expect(await refused({ config: configOf({ scope: { ...scope, exclude: ['/(a)\\1/'] } }) })).toEqual(['config.scope.exclude.0']);
  expect(await refused({ config: configOf({ extractions: [{ name: 'x', pattern: '*', rows: '', columns: [column], tableId: null }] }) })).toEqual([
    'config.extractions.0.columns.0.expression',
  ]);
  expect(await refused({ secrets: { Host: 'elsewhere' } })).toEqual(['config.fetch.headers']);
});

test('roles decide who reads, runs and configures, and strangers get 404', async () => {
  const crawler = await add({ name: 'Guarded' });
  const [viewer, analyst, stranger] = [await personWith('viewer'), await personWith('analyst'), await personWith('admin', other.id)];
  const codes = async (person: Person) => [
    (await person.get(crawlerPath(crawler))).statusCode,
    (await person.send('PUT', crawlerPath(crawler))).statusCode,
    (await person.send('POST', `${crawlerPath(crawler)}/runs`)).statusCode,
  ];
  expect(await codes(viewer)).toEqual([200, 403, 403]);
  expect(await codes(stranger)).toEqual([404, 404, 404]);
  expect(await codes(analyst)).toEqual([200, 403, 200]);
  const run = data<Crawler>(await owner.get(crawlerPath(crawler))).lastRun as CrawlRun;
  await untilState(t.ctx, run.id, ended);
  expect((await stranger.get(`/api/dev/crawl-runs/${run.id}`)).statusCode).toBe(404);
  expect((await stranger.get(`/api/dev/crawl-runs/${run.id}/export?what=pages&format=csv`)).statusCode).toBe(404);
  expect(data<{ total: number }>(await stranger.get('/api/dev/crawlers')).total).toBe(0);
  expect(data<{ total: number }>(await viewer.get('/api/dev/crawlers?q=guard')).total).toBe(1);
});

test('a run is shown with its numbers, announced once, and only one is open', async () => {
  const crawler = await add({ name: 'Watched' });
  const { id } = await start(crawler);
  const second = await owner.send('POST', `${crawlerPath(crawler)}/runs`);
  expect(second.json<{ code: string }>().code).toBe('bad_transition');
  await untilState(t.ctx, id, ['completed']);
  const run = data<CrawlRunDetail>(await owner.get(`/api/dev/crawl-runs/${id}`));
  expect(run).toMatchObject({ number: 1, state: 'completed', verified: true, progress: null, trigger: 'manual' });
  expect([run.counters.pages, run.recent.length, run.recent.every(({ status }) => status === 200)]).toEqual([12, 12, true]);
  await runSchedule(t.ctx, 'crawler.ended');
  await runSchedule(t.ctx, 'crawler.ended');
  const notices = data<{ rows: { kind: string; title: string; path: string }[] }>(await owner.get('/api/acc/notices')).rows.filter(({ path }) =>
    path.includes(crawler.id),
  );
  expect(notices).toEqual([expect.objectContaining({ kind: 'crawl', path: `/developer/crawler/${crawler.id}?run=${id}` })]);
  const list = data<{ rows: Crawler[] }>(await owner.get('/api/dev/crawlers?state=completed&q=Watched')).rows;
  expect(list).toEqual([expect.objectContaining({ name: 'Watched', scores: [run.score], lastRun: expect.objectContaining({ id }) })]);
});

test('a run can be paused, resumed and stopped through the API', async () => {
  local.answer = (_request, response, path) => {
    if (!path.startsWith('/p/')) return false;
    const page = Number(path.slice(3));
    // Pages that are alike would be taken for a trap, and the crawl would end.
    const content = `<title>${path}</title><p>${textOf(page)}</p><a href="/p/${page + 1}">n</a>`;
    setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(content), 60);
    return true;
  };
  const crawler = await add({ name: 'Stopped', config: configOf({ politeness: { connections: 1, requestsPerSecond: 50, obeyRobots: true } }) });
  const { id } = await start(crawler);
  const turn = async (what: string) => (await owner.send('POST', `/api/dev/crawl-runs/${id}/${what}`)).statusCode;
  await until(async () => (await untilState(t.ctx, id, ['running'])).counters.pages > 2, 20_000);
  const live = data<CrawlRunDetail>(await owner.get(`/api/dev/crawl-runs/${id}`));
  expect(live.progress?.hosts).toEqual([expect.objectContaining({ host: local.origin.slice(7) })]);
  expect(await turn('pause')).toBe(200);
  await untilState(t.ctx, id, ['paused']);
  expect([await turn('pause'), await turn('resume')]).toEqual([409, 200]);
  await untilState(t.ctx, id, ['running']);
  expect(await turn('stop')).toBe(200);
  expect((await untilState(t.ctx, id, ended)).state).toBe('stopped');
}, 60_000);

test('a run shows its pace while somebody uses the console', async () => {
  local.answer = (_request, response, path) => {
    if (!path.startsWith('/p/')) return false;
    const page = Number(path.slice(3));
    const links = Array.from({ length: 20 }, (_, at) => `<a href="/p/${page + at}">n</a>`).join('');
    // Pages that are alike would be taken for a trap, and the crawl would end.
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${path}</title><p>${textOf(page)}</p>${links}`);
    return true;
  };
  const { id } = await start(await add({ name: 'Polite', config: configOf({ limits: { ...configOf().limits, pages: 100_000, familyPercent: 100 } }) }));
  await until(async () => (await readRunRow(t.ctx, id)).counters.pages > 0, 30_000);
  let pace: number | null = null;
  await until(async () => {
    // Requests of the API are limited to some hundreds a minute.
    await delay(150);
    pace = data<CrawlRunDetail>(await owner.get(`/api/dev/crawl-runs/${id}`)).progress?.pace ?? null;
    return pace !== null;
  }, 30_000);
  expect(pace).toBeGreaterThanOrEqual(10);
  await owner.send('POST', `/api/dev/crawl-runs/${id}/stop`);
  await untilState(t.ctx, id, ended);
}, 60_000);

test('robots.txt and gentle limits always apply to a site that is not verified', async () => {
  local.answer = (_request, response, path) => {
    if (path !== '/robots.txt') return false;
    response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /p/');
    return true;
  };
  const crawler = await add({ name: 'Foreign', config: configOf({ politeness: { connections: 64, requestsPerSecond: 200, obeyRobots: false } }) }, other.id);
  expect(crawler.verified).toBe(false);
  const run = await finished(crawler);
  expect([run.verified, [...local.requests.keys()].filter((path) => path.startsWith('/p/'))]).toEqual([false, []]);
}, 30_000);

test('a schedule runs at its time, and once for all times that were missed', async () => {
  const crawler = await add({ name: 'Nightly', schedule: '0 3 * * *', config: configOf({ scope: { ...configOf().scope, mode: 'list' } }) });
  const next = Date.parse(crawler.nextAt ?? '');
  expect(new Date(next).toISOString().slice(11, 16)).toBe('19:00');
  const count = async () => data<{ rows: CrawlRun[] }>(await owner.get(`${crawlerPath(crawler)}/runs`)).rows;
  await runSchedule(t.ctx, 'crawler.due');
  expect(await count()).toEqual([]);
  await runSchedule(t.ctx, 'crawler.due', next - t.ctx.now() + 3 * 24 * 3_600_000 + 1000);
  await runSchedule(t.ctx, 'crawler.due', next - t.ctx.now() + 3 * 24 * 3_600_000 + 2000);
  const [run] = await count();
  expect([(await count()).length, run?.trigger]).toEqual([1, 'schedule']);
  expect(Date.parse(data<Crawler>(await owner.get(crawlerPath(crawler))).nextAt ?? '')).toBe(next + 4 * 24 * 3_600_000);
});

describe('extracted rows', () => {
  const column = (name: string, type: 'text' | 'number', expression: string) =>
    ({ name, type, from: 'css', expression, attribute: '', many: false, required: false }) as const;
  const extraction = { name: 'Items', pattern: '/p/*', rows: '', columns: [column('name', 'text', 'h1'), column('price', 'number', '.price')], tableId: null };
  const page = (path: string) => `<title>x</title><h1>${path === '/p/1' ? '=1+1' : path}</h1><p class="price">${path.length},5 €</p>`;
  let run: CrawlRunDetail;
  beforeAll(async () => {
    local.answer = (_request, response, path) => {
      if (!path.startsWith('/p/')) return false;
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(path));
      return true;
    };
    run = await finished(await add({ name: 'Shop', kind: 'extract', config: configOf({ extractions: [extraction] }) }));
    expect(run.rows).toEqual([{ extraction: 'Items', rows: 3 }]);
  });

  test('are previewed from a page before a run', async () => {
    local.answer = (_request, response, path) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page(path));
      return true;
    };
    const body = { url: `${local.origin}/p/2`, extraction };
    const preview = data<object>(await owner.send('POST', `/api/dev/sites/${site.id}/crawlers/test-extraction`, body));
    expect(preview).toMatchObject({ applies: true, total: 1, rows: [{ name: '/p/2' }] });
  });

  test('are listed page by page', async () => {
    const path = `/api/dev/crawl-runs/${run.id}/rows?extraction=Items&size=2`;
    const first = data<{ rows: { url: string }[]; total: number; next: string }>(await owner.get(path));
    const rest = data<{ rows: { url: string }[]; next: null }>(await owner.get(`${path}&before=${first.next}`));
    expect([first.total, new Set([...first.rows, ...rest.rows].map(({ url }) => url)).size, rest.next]).toEqual([3, 3, null]);
  });

  test('are exported in every format, without formulas', async () => {
    const file = (query: string) => owner.get(`/api/dev/crawl-runs/${run.id}/export?${query}`);
    const csv = (await file('what=rows&format=csv&extraction=Items')).body;
    expect([csv.split('\r\n').length, csv.includes("'=1+1")]).toEqual([5, true]);
    const lines = (await file('what=pages&format=jsonl')).body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { url: string; status: number });
    expect(lines.filter(({ url }) => url.includes('/p/')).length).toBeGreaterThan(2);
    expect((await file('what=issues&format=csv')).body).toContain('rule,severity,state,url');
    expect((await file('what=pages&format=xlsx')).rawPayload.subarray(0, 2).toString()).toBe('PK');
    expect((await file('what=sitemap&format=xml')).body).toContain(`<loc>${local.origin}/p/2</loc>`);
    expect((await file('what=sitemap&format=csv')).statusCode).toBe(422);
  });

  test('lead to pages whose bodies another reader of WARC finds', async () => {
    const { rawPayload } = await owner.get(`/api/dev/crawl-runs/${run.id}/export?what=warc&format=warc`);
    const found = new Map<string, string>();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
    const types = new Set<string>();
    for await (const record of new WARCParser([rawPayload])) {
      types.add(record.warcType ?? '');
      const body = await record.readFully(false);
      if (record.warcType !== 'response') continue;
      // SHA-1 has 32 digits of base 32.
      const [, digits = ''] = /^sha1:([A-Z2-7]{32})$/.exec(record.warcPayloadDigest ?? '') ?? [];
      const digest = [...digits].reduce((number, letter) => number * 32n + BigInt(alphabet.indexOf(letter)), 0n);
      expect(digest.toString(16).padStart(40, '0')).toBe(createHash('sha1').update(body).digest('hex'));
      expect([record.httpHeaders?.statusCode, record.httpHeaders?.headers.get('content-length')]).toEqual([200, String(body.length)]);
      found.set(record.warcTargetURI ?? '', Buffer.from(body).toString());
    }
    expect(types).toEqual(new Set(['warcinfo', 'response']));
    expect(found.get(`${local.origin}/p/2`)).toBe(page('/p/2'));
  });

  test('are written into a table as one batch, which one undo takes back', async () => {
    const created = await addTestTable(owner, site.id, [
      { key: 'name', type: 'text' },
      { key: 'url', type: 'url', unique: true },
    ]);
    const { name = '', url = '' } = created.f;
    const body = { extraction: 'Items', tableId: created.table.id, fields: { name, '@url': url }, keyField: url };
    const write = async (): Promise<string> => {
      const { jobId, batchId } = data<{ jobId: string; batchId: string }>(await owner.send('POST', `/api/dev/crawl-runs/${run.id}/rows/store`, body));
      await until(async () => {
        const { rows } = await t.ctx.postgres.pool.query<{ state: string; error: string }>('SELECT state, error FROM jobs WHERE id = $1', [jobId]);
        if (rows[0]?.state === 'failed') throw new Error(rows[0].error);
        return rows[0]?.state === 'done';
      }, 20_000);
      return batchId;
    };
    const count = async () => data<{ rows: unknown[] }>(await owner.get(`${created.path}/records`)).rows.length;
    const batch = await write();
    await write();
    expect(await count()).toBe(3);
    const history = data<{ rows?: { origin: string }[] }>(await owner.get(`/api/site/${site.id}/table/batches`));
    expect(JSON.stringify(history)).toContain('"origin":"crawl"');
    expect((await owner.send('POST', `/api/site/${site.id}/table/batches/${batch}/undo`)).statusCode).toBe(200);
    expect(await count()).toBe(0);
    const viewer = await personWith('viewer');
    expect((await viewer.send('POST', `/api/dev/crawl-runs/${run.id}/rows/store`)).statusCode).toBe(403);
  });

  test('go into the table that the crawler names when a run ends', async () => {
    const created = await addTestTable(owner, site.id, [
      { key: 'name', type: 'text' },
      { key: 'url', type: 'url', unique: true },
    ]);
    local.answer = (_request, response, path) => {
      if (!path.startsWith('/p/')) return false;
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(path));
      return true;
    };
    await finished(await add({ name: 'Shop into table', kind: 'extract', config: configOf({ extractions: [{ ...extraction, tableId: created.table.id }] }) }));
    await runSchedule(t.ctx, 'crawler.ended');
    await until(async () => data<{ rows: unknown[] }>(await owner.get(`${created.path}/records`)).rows.length === 3, 20_000);
  });
});

test('a scope is tried on typed and known addresses', async () => {
  const body = { seeds: [`${local.origin}/`], scope: { ...configOf().scope, exclude: ['/p/*'] }, urls: ['/p/1', '/other', 'https://elsewhere.example/'] };
  const result = data<{ urls: { included: boolean; reason: string | null }[]; known: { included: number; excluded: number } }>(
    await owner.send('POST', `/api/dev/sites/${site.id}/crawlers/test-scope`, body),
  );
  expect(result.urls.map(({ included, reason }) => [included, reason])).toEqual([
    [false, 'scope'],
    [true, null],
    [false, 'scope'],
  ]);
  expect(result.known.excluded).toBeGreaterThan(0);
});

test('pages of runs beyond those that are kept are deleted, their numbers stay', async () => {
  const crawler = await add({ name: 'Short', retainedRuns: 1, config: configOf({ scope: { ...configOf().scope, mode: 'list' } }) });
  const first = await finished(crawler);
  await finished(crawler);
  await runSchedule(t.ctx, 'crawler.purge');
  expect(data<CrawlRunDetail>(await owner.get(`/api/dev/crawl-runs/${first.id}`))).toMatchObject({ stored: false, recent: [], counters: { pages: 1 } });
  expect((await owner.get(`/api/dev/crawl-runs/${first.id}/export?what=pages&format=csv`)).statusCode).toBe(404);
  const params = { run: first.id };
  expect(await t.ctx.clickhouse.query('SELECT 1 FROM crawl_links WHERE run_id = {run:String}', { params })).toEqual([]);
  // The second run has the bodies, too.
  await runSchedule(t.ctx, 'crawler.sweep', 2 * 3_600_000);
  expect((await t.ctx.files.folders(`crawls/${site.id}`)).length).toBeGreaterThan(0);
});
