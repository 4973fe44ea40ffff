import { gzipSync } from 'node:zlib';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Import, ImportPreview } from '../../contract/imports/schemas';
import { jobHandlers } from '../../server/areas';
import { findImport } from '../../server/areas/imports/queries';
import { stateOf } from '../../server/areas/imports/responses';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { sendChunk } from '../support/sendChunk';

let t: TestApp;
let owner: Person;
let worker: Worker;
beforeAll(async () => {
  t = await makeTestApp({ config: { dataDir: await mkdtemp(path.join(os.tmpdir(), 'imports-')) } });
  owner = await t.signUpOwner();
  worker = startWorker(t.ctx, jobHandlers, [], { pollEvery: 50 });
});
afterAll(async () => {
  await worker.close();
  await t.close();
});

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
type LineParts = {
  readonly address?: string;
  readonly time?: string;
  readonly request?: string;
  readonly status?: number;
  readonly referrer?: string;
  readonly agent?: string;
};
const line = ({
  address = '203.0.113.7',
  time = '10/Nov/2026:08:00:00 +0800',
  request = 'GET / HTTP/1.1',
  status = 200,
  referrer = '-',
  agent = chrome,
}: LineParts = {}): string => `${address} - - [${time}] "${request}" ${status} 512 "${referrer}" "${agent}"`;

const put = (by: Browser, siteId: string, id: string, file: number, offset: number, chunk: Buffer) =>
  sendChunk(by, `/api/site/${siteId}/als/imports/${id}/files/${file}`, offset, chunk);

async function upload(siteId: string, files: readonly { name: string; content: Buffer }[]): Promise<Import> {
  const createResponse = await owner.send('POST', `/api/site/${siteId}/als/imports`, {
    files: files.map(({ name, content }) => ({ name, size: content.length })),
  });
  expect(createResponse.statusCode).toBe(200);
  const { id } = createResponse.json<{ data: Import }>().data;
  for (const [index, { content }] of files.entries()) expect((await put(owner, siteId, id, index, 0, content)).statusCode).toBe(204);
  return importNow(siteId, id);
}

const importNow = async (siteId: string, id: string): Promise<Import> =>
  (await owner.get(`/api/site/${siteId}/als/imports/${id}`)).json<{ data: Import }>().data;

async function finished(siteId: string, id: string): Promise<Import> {
  // Not through the API, whose rate limit is for people.
  await until(async () => {
    const found = await findImport(t.ctx.postgres.db, siteId, id);
    return found !== null && ['done', 'failed', 'cancelled'].includes(stateOf(found));
  }, 20_000);
  return importNow(siteId, id);
}

async function run(siteId: string, files: readonly { name: string; content: Buffer }[], body: object = { mode: 'count' }): Promise<Import> {
  const { id } = await upload(siteId, files);
  const started = await owner.send('POST', `/api/site/${siteId}/als/imports/${id}/start`, body);
  expect([started.statusCode, started.body]).toEqual([200, expect.anything()]);
  return finished(siteId, id);
}

const text = (...lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

type Totals = { views: number; visits: number; visitors: number };
async function totals(siteId: string, from = '2026-11-01', to = '2026-11-19', who = 'all'): Promise<Totals> {
  const answer = await owner.get(`/api/site/${siteId}/als/report?from=${from}&to=${to}&who=${who}`);
  const { views, visits, visitors } = answer.json<{ data: { totals: Totals } }>().data.totals;
  return { views, visits, visitors };
}
const newSite = async (timeZone = 'Asia/Shanghai'): Promise<string> =>
  (await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example/', timeZone })).id;
const refused = (it: Import): Record<string, number> => Object.fromEntries((it.report?.refused ?? []).map(({ reason, count }) => [reason, count]));

test('page views of a log are imported, other lines counted by reason', async () => {
  const siteId = await newSite();
  const done = await run(siteId, [
    {
      name: 'access.log',
      content: text(
        line({ request: 'GET /tea?utm_source=weibo HTTP/1.1' }),
        line({ request: 'GET /style.css HTTP/1.1' }),
        line({ request: 'GET /green HTTP/2.0', time: '10/Nov/2026:08:10:00 +0800', referrer: 'https://tea.example/tea', status: 304 }),
        line({ request: 'POST /order HTTP/1.1' }),
        line({ request: 'GET /gone HTTP/1.1', status: 404 }),
        line({ request: 'GET /_a/t.js HTTP/1.1' }),
        line({ request: 'GET /late HTTP/1.1', time: '10/Nov/2026:09:00:00 +0800' }),
        line({ address: '198.51.100.9', request: 'GET / HTTP/1.1', agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }),
        'this is not a line',
        line({ time: '10/Nov/2036:09:00:00 +0800' }),
      ),
    },
  ]);
  expect(done).toMatchObject({ state: 'done', format: 'combined', mode: 'count', report: { lines: 10, accepted: 4, bots: 1, repeated: 0 } });
  expect(refused(done)).toEqual({ asset: 1, method: 1, status: 1, own_path: 1, not_a_line: 1, future: 1 });
  expect(await totals(siteId)).toEqual({ views: 4, visits: 3, visitors: 2 });
  expect(await totals(siteId, '2026-11-01', '2026-11-19', 'humans')).toEqual({ views: 3, visits: 2, visitors: 1 });
  const samples = done.report?.refused.flatMap((one) => one.samples.map((sample) => sample.text)) ?? [];
  expect(samples.join('\n')).not.toContain('203.0.113.7');
  expect(samples).toContainEqual(expect.stringMatching(/^203\.0\.113\.x - - .*"POST \/order/));
});

test('log visits from referrer spam count as bots', async () => {
  const siteId = await newSite();
  const content = text(
    line({ address: '198.51.100.1', referrer: 'http://www.buttons-for-website.com/' }),
    line({ address: '198.51.100.2', referrer: 'https://www.zhihu.com/question/1' }),
  );
  expect(await run(siteId, [{ name: 'access.log', content }])).toMatchObject({ report: { accepted: 2, bots: 1 } });
  expect(await totals(siteId, '2026-11-01', '2026-11-19', 'humans')).toEqual({ views: 1, visits: 1, visitors: 1 });
});

test('repeated lines change nothing, in whatever files they arrive', async () => {
  const siteId = await newSite();
  const lines = Array.from({ length: 50 }, (_, i) =>
    line({ address: `203.0.113.${i % 7}`, request: `GET /p${i % 5} HTTP/1.1`, time: `10/Nov/2026:08:${String(i).padStart(2, '0')}:00 +0800` }),
  );
  // Twice in one second is two views; twice in differently named files is not.
  lines.push(lines[0] ?? '');
  const first = await run(siteId, [{ name: 'a.log', content: text(...lines) }]);
  expect(first.report).toMatchObject({ accepted: 51, repeated: 0 });
  const before = await totals(siteId);
  const again = await run(siteId, [{ name: 'b.log.gz', content: gzipSync(text(...lines)) }]);
  expect(again.report).toMatchObject({ accepted: 0, repeated: 51 });
  const twice = await run(siteId, [
    { name: 'c.log', content: text(...lines) },
    { name: 'd.log', content: text(...lines, line({ request: 'GET /new HTTP/1.1', time: '11/Nov/2026:08:00:00 +0800' })) },
  ]);
  expect(twice.report).toMatchObject({ accepted: 1 });
  expect(await totals(siteId)).toEqual({ views: before.views + 1, visits: before.visits + 1, visitors: before.visitors + 1 });
});

test('removing an import removes exactly its own data', async () => {
  const siteId = await newSite();
  const a = [line(), line({ time: '10/Nov/2026:08:40:00 +0800' })];
  const between = line({ time: '10/Nov/2026:08:20:00 +0800', request: 'GET /between HTTP/1.1' });
  await run(siteId, [{ name: 'a.log', content: text(...a) }]);
  expect(await totals(siteId)).toEqual({ views: 2, visits: 2, visitors: 1 });
  const joined = await run(siteId, [{ name: 'b.log', content: text(between, ...a) }]);
  expect(joined.report).toMatchObject({ accepted: 1, repeated: 2 });
  // The view in between joins two visits.
  expect(await totals(siteId)).toEqual({ views: 3, visits: 1, visitors: 1 });
  expect((await owner.send('DELETE', `/api/site/${siteId}/als/imports/${joined.id}`)).statusCode).toBe(200);
  await until(async () => (await findImport(t.ctx.postgres.db, siteId, joined.id)) === null);
  expect((await owner.get(`/api/site/${siteId}/als/imports/${joined.id}`)).statusCode).toBe(404);
  expect(await totals(siteId)).toEqual({ views: 2, visits: 2, visitors: 1 });
});

test.each([
  ['UTC', '10/Nov/2026:23:55:00 +0000', '11/Nov/2026:00:05:00 +0000'],
  ['Asia/Shanghai', '10/Nov/2026:23:55:00 +0800', '11/Nov/2026:00:05:00 +0800'],
])('a visit continues over midnight in %s, even across imports', async (zone, evening, morning) => {
  const siteId = await newSite(zone);
  await run(siteId, [{ name: '1', content: text(line({ time: evening })) }]);
  await run(siteId, [{ name: '2', content: text(line({ time: morning, request: 'GET /next HTTP/1.1' })) }]);
  expect(await totals(siteId)).toEqual({ views: 2, visits: 1, visitors: 1 });
});

test('a log visitor counts once a day of the site', async () => {
  const siteId = await newSite();
  const times = ['10/Nov/2026:07:00:00 +0800', '10/Nov/2026:09:00:00 +0800'];
  const lines = times.flatMap((time) => Array.from({ length: 10 }, (_, i) => line({ address: `203.0.113.${i}`, time })));
  await run(siteId, [{ name: 'a.log', content: text(...lines) }]);
  const answer = await owner.get(`/api/site/${siteId}/als/report?from=2026-11-10&to=2026-11-10&who=all`);
  expect(answer.json()).toMatchObject({ data: { totals: { views: 20, visits: 20, visitors: 10, ips: 10 } } });
});

test('repeated lines change nothing after a change of time zone', async () => {
  const siteId = await newSite('UTC');
  const content = text(...['06:59', '07:01', '15:00', '23:59'].map((time) => line({ time: `10/Nov/2026:${time}:00 +0000` })));
  await run(siteId, [{ name: 'a.log', content }]);
  const { revision } = (await owner.get(`/api/core/sites/${siteId}`)).json<{ data: { revision: number } }>().data;
  const moved = await owner.send('PATCH', `/api/core/sites/${siteId}`, { timeZone: 'Asia/Shanghai' }, { 'if-match': `"${revision}"` });
  expect(moved.statusCode).toBe(200);
  expect((await run(siteId, [{ name: 'a.log', content }])).report).toMatchObject({ accepted: 0, repeated: 4 });
  expect((await totals(siteId)).views).toBe(4);
});

test('compared lines are in no report and can be imported later', async () => {
  const siteId = await newSite();
  const content = text(line());
  expect((await run(siteId, [{ name: 'a.log', content }], { mode: 'compare' })).report).toMatchObject({ accepted: 1 });
  expect(await totals(siteId)).toEqual({ views: 0, visits: 0, visitors: 0 });
  expect((await run(siteId, [{ name: 'a.log', content }], { mode: 'count' })).report).toMatchObject({ accepted: 1, repeated: 0 });
  expect(await totals(siteId)).toEqual({ views: 1, visits: 1, visitors: 1 });
});

test('an upload resumes, and a misplaced chunk is refused', async () => {
  const siteId = await newSite();
  const content = text(line(), line({ request: 'GET /b HTTP/1.1' }));
  const { data } = (await owner.send('POST', `/api/site/${siteId}/als/imports`, { files: [{ name: 'a.log', size: content.length }] })).json<{ data: Import }>();
  expect((await put(owner, siteId, data.id, 0, 0, content.subarray(0, 40))).headers['upload-offset']).toBe('40');
  expect((await put(owner, siteId, data.id, 0, 0, content.subarray(0, 40))).statusCode).toBe(409);
  expect((await importNow(siteId, data.id)).files).toEqual([{ name: 'a.log', size: content.length, stored: 40 }]);
  expect((await put(owner, siteId, data.id, 0, 40, Buffer.concat([content, content]))).statusCode).toBe(413);
  const early = await owner.send('POST', `/api/site/${siteId}/als/imports/${data.id}/start`, { mode: 'count' });
  expect(early.statusCode).toBe(409);
  expect((await put(owner, siteId, data.id, 0, 40, content.subarray(40))).statusCode).toBe(204);
  await owner.send('POST', `/api/site/${siteId}/als/imports/${data.id}/start`, { mode: 'count' });
  expect((await finished(siteId, data.id)).report).toMatchObject({ accepted: 2 });
});

test('an import above the size limit is refused before upload', async () => {
  const siteId = await newSite();
  const answer = await owner.send('POST', `/api/site/${siteId}/als/imports`, { files: [{ name: 'a.log', size: t.ctx.config.importMaxBytes + 1 }] });
  expect(answer.statusCode).toBe(413);
});

test('the preview shows format, zone, first lines and refusals', async () => {
  const siteId = await newSite();
  const { id } = await upload(siteId, [
    { name: 'v.log', content: text(`tea.example:443 ${line()}`, `other.example:443 ${line()}`, `tea.example:443 ${line({ request: 'GET /a.png HTTP/1.1' })}`) },
  ]);
  const { data } = (await owner.send('POST', `/api/site/${siteId}/als/imports/${id}/preview`, {})).json<{ data: ImportPreview }>();
  expect(data).toMatchObject({ detected: 'vhost', zoneOffset: 480, sample: { lines: 3, accepted: 1 }, suggested: 'count', overlap: 0 });
  expect(data.lines.map((previewLine) => previewLine.refused)).toEqual([null, 'other_host', 'asset']);
  expect(data.lines[0]).toMatchObject({ address: '203.0.113.x', path: '/', host: 'tea.example', browser: 'Chrome' });
  expect(data.sample.refused).toEqual(expect.arrayContaining([{ reason: 'asset', count: 1 }]));
});

test.each([
  [
    'nginx',
    {
      time_iso8601: '2026-11-10T08:00:00+08:00',
      remote_addr: '203.0.113.7',
      request: 'GET /n HTTP/1.1',
      status: '200',
      http_referer: '-',
      http_user_agent: chrome,
    },
  ],
  [
    'Caddy',
    {
      ts: 1_794_268_800.25,
      status: 200,
      request: { client_ip: '203.0.113.7', method: 'GET', host: 'tea.example', uri: '/n', headers: { 'User-Agent': [chrome] } },
    },
  ],
  [
    'Traefik',
    {
      StartUTC: '2026-11-10T00:00:00.123Z',
      ClientHost: '203.0.113.7',
      RequestMethod: 'GET',
      RequestPath: '/n',
      RequestHost: 'tea.example',
      DownstreamStatus: 200,
      'request_User-Agent': chrome,
    },
  ],
])('JSON lines of %s', async (_name, one) => {
  const siteId = await newSite();
  const done = await run(siteId, [{ name: 'a.json', content: text(JSON.stringify(one), '{"broken') }]);
  expect(done).toMatchObject({ format: 'json', report: { accepted: 1 } });
  const report = await owner.get(`/api/site/${siteId}/als/report?from=2026-11-10&to=2026-11-10&by=browser`);
  expect(report.json<{ data: { rows: { key: string }[] } }>().data.rows.map((row) => row.key)).toEqual(['Chrome']);
});

describe('bad input', () => {
  test('a truncated gz keeps its readable lines', async () => {
    const siteId = await newSite();
    const lines = Array.from({ length: 6000 }, (_, i) =>
      line({ address: `10.${(i * 7919) % 256}.${i % 250}.${(i * 31) % 256}`, request: `GET /${(i * 2_654_435_761) % 1e9} HTTP/1.1` }),
    );
    const whole = gzipSync(text(...lines));
    const done = await run(siteId, [
      { name: 'a.gz', content: whole.subarray(0, whole.length / 2) },
      { name: 'b', content: text(line()) },
    ]);
    expect(done.state).toBe('done');
    expect(done.report?.accepted).toBeGreaterThan(500);
    expect(refused(done)).toMatchObject({ truncated: 1 });
  });

  test('a binary file is refused before it starts', async () => {
    const siteId = await newSite();
    const { id } = await upload(siteId, [{ name: 'a.bin', content: Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7) % 256)) }]);
    const { data } = (await owner.send('POST', `/api/site/${siteId}/als/imports/${id}/preview`, {})).json<{ data: ImportPreview }>();
    expect(data.detected).toBeNull();
    expect((await owner.send('POST', `/api/site/${siteId}/als/imports/${id}/start`, { mode: 'count' })).statusCode).toBe(422);
  });

  test('hostile lines are refused or escaped, and valid ones stored', async () => {
    const siteId = await newSite();
    const done = await run(siteId, [
      {
        name: '=cmd.log',
        content: text(
          line({ request: String.raw`GET /\xed\xa0\x80\x00x HTTP/1.1`, agent: String.raw`\x00\xed\xa0\x80=cmd|'/C calc'!A0` }),
          line({ time: '11/Nov/2026:08:00:00 +0800' }),
          line({ time: '09/Nov/2026:08:00:00 +0800' }),
          line({ request: 'GET //evil.example/x HTTP/1.1' }),
          `=HYPERLINK("http://evil.example")`,
          'x'.repeat(200_000),
          JSON.stringify({ remote_addr: '203.0.113.7', request: 'GET / HTTP/1.1', status: 200 }),
          line({ request: '' }),
          line({ request: 'GET' }),
        ),
      },
    ]);
    expect(done.report).toMatchObject({ accepted: 4 });
    expect(refused(done)).toMatchObject({ too_long: 1, not_a_line: 2 });
    const rows = (await owner.get(`/api/site/${siteId}/als/report?from=2026-11-01&to=2026-11-19&by=path&who=all`)).json<{ data: { rows: { key: string }[] } }>()
      .data.rows;
    expect(rows.map((row) => row.key)).toContain('/evil.example/x');
    const csv = await owner.get(`/api/site/${siteId}/als/imports/${done.id}/refused`, { 'accept-language': 'en' });
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.body).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(csv.body).toContain(`'=cmd.log`);
  });

  test('two imports of one site run in turn', async () => {
    const siteId = await newSite();
    const content = text(line(), line({ request: 'GET /b HTTP/1.1' }));
    const [a, b] = [await upload(siteId, [{ name: 'a', content }]), await upload(siteId, [{ name: 'b', content }])];
    await Promise.all([a, b].map(({ id }) => owner.send('POST', `/api/site/${siteId}/als/imports/${id}/start`, { mode: 'count' })));
    const ends = [await finished(siteId, a.id), await finished(siteId, b.id)];
    expect(ends.map((end) => end.state)).toEqual(['done', 'done']);
    expect(ends.map((end) => end.report?.accepted).sort((x, y) => (x ?? 0) - (y ?? 0))).toEqual([0, 2]);
    expect(await totals(siteId)).toMatchObject({ views: 2 });
  });

  test('another site’s import is not found', async () => {
    const [mine, other] = [await newSite(), await newSite()];
    const { id } = await upload(mine, [{ name: 'a', content: text(line()) }]);
    expect((await owner.get(`/api/site/${other}/als/imports/${id}`)).statusCode).toBe(404);
    expect((await put(owner, other, id, 0, 0, Buffer.from('x'))).statusCode).toBe(404);
    expect((await owner.send('POST', `/api/site/${other}/als/imports/${id}/start`, { mode: 'count' })).statusCode).toBe(404);
    expect((await owner.send('DELETE', `/api/site/${other}/als/imports/${id}`)).statusCode).toBe(404);
    const analyst = await t.makePerson('member');
    await t.grant(mine, analyst.userId, 'analyst');
    expect((await analyst.get(`/api/site/${mine}/als/imports`)).statusCode).toBe(403);
  });
});
