import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Install, Report } from '../../contract/analytics/schemas';
import type { z } from 'zod';
import { CollectBody, Hit } from '../../contract/collect/schemas';
import type { MeasuringSettings } from '../../contract/measuring/schemas';
import type { Site } from '../../contract/sites/schemas';
import { noArrivals } from '../../server/areas/analytics/arrivals';
import type { Arrivals } from '../../server/areas/analytics';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { makeFolder, person as agent, viewHit } from './collectSupport';

/** The handbook's commands for measuring, executed; and settings that two screens show alike. */
let test: TestApp;
let owner: Person;
let site: Site;
let collector: Collector;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let console_: string;
let token: string;
const arrivals: { -readonly [K in keyof Arrivals]: Arrivals[K] } = { ...noArrivals };

beforeAll(async () => {
  folder = await makeFolder();
  test = await makeTestApp({ config: { dataDir: folder.dataDir }, prepare: (app) => void app.decorate('arrivals', arrivals) });
  collector = await startCollector(test.ctx, { gatherMs: 0 });
  arrivals.acceptFromServer = collector.acceptFromServer;
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  console_ = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
  owner = await test.signUpOwner();
  site = await test.makeSite(owner, { name: '茶馆', purpose: 'external', url: 'https://example.com/', timeZone: 'Asia/Shanghai' });
  const tokenResponse = await owner.send('POST', '/api/acc/tokens', {
    name: 'Handbook',
    scopes: ['analytics:read', 'analytics:write', 'publishing:read', 'publishing:write'],
  });
  token = tokenResponse.json<{ data: { value: string } }>().data.value;
});
afterAll(async () => {
  await collector.close();
  await test.close();
  await folder.remove();
});

const als = (rest: string): string => `/api/site/${site.id}/als/${rest}`;
// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller knows what the call answers
const data = <T>(answer: { json: () => unknown }): T => (answer.json() as { data: T }).data;

/** The commands of a page: in fenced `sh` blocks, one from each line that begins with `curl`. */
const commandsOf = (page: string): string[] =>
  [...readFileSync(path.join(import.meta.dirname, '../../docs', page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block
      .replaceAll(/^#.*\n/gm, '')
      .split(/^(?=curl )/m)
      .filter((one) => one.startsWith('curl ')),
  );
/** Runs a command unchanged; the status follows the body. */
async function run(command: string): Promise<{ status: number; body: { data?: Record<string, unknown> } }> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(/^curl /, "curl -sS -w '\\n%{http_code}' ")], {
    env: { PATH: process.env['PATH'], CONSOLE: console_, SITE: site.id, TOKEN: token, NO_PROXY: '127.0.0.1' },
  });
  const [status = '', ...body] = stdout.split('\n').reverse();
  return { status: Number(status), body: JSON.parse(body.reverse().join('\n')) as { data?: Record<string, unknown> } };
}

describe.each(['zh', 'en'])('the commands of the handbook (%s)', (language) => {
  it('server hits are accepted, once only', async () => {
    const commands = commandsOf(`${language}/collecting.md`);
    expect(commands).toHaveLength(1);
    for (const command of commands) {
      expect(await run(command)).toMatchObject({ status: 200, body: { data: { accepted: 1, refused: [] } } });
      expect((await run(command)).status).toBe(200);
    }
    await collector.flush();
    const found = await test.ctx.clickhouse.query('SELECT name, props, path FROM hits FINAL WHERE site_id = {site:String}', { params: { site: site.id } });
    expect(found).toEqual([{ name: 'paid', props: '{"total":9.5}', path: '/pay' }]);
  });

  it('the tracker’s body matches the contract', () => {
    const [command = '', ...others] = commandsOf(`${language}/tracker.md`);
    expect(others).toEqual([]);
    const body = CollectBody.parse(JSON.parse((/-d '(.*)'\s*$/.exec(command)?.[1] ?? '').replace("'$SITE'", site.id)));
    expect(body).toMatchObject({ s: site.id, h: [expect.anything()] });
    expect(Hit.parse(body.h[0])).toEqual(body.h[0]);
  });

  it('each query API command answers as commented', async () => {
    const answers = [];
    for (const command of commandsOf(`${language}/analytics-api.md`)) answers.push(await run(command));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [days, entries, settings, completeness] = answers.map(({ body }) => body.data);
    expect(days?.['series']).toHaveLength(20);
    expect(entries).toMatchObject({ rows: [], totals: { visits: 0 } });
    expect(settings).toHaveProperty('tag', expect.stringContaining(site.id));
    expect(completeness?.['days']).toHaveLength(30);
  });

  it('the commands for themes and releases answer as commented', async () => {
    const measured = site;
    site = await test.makeSite(owner, { name: '书店' });
    const answers = [];
    for (const command of [...commandsOf(`${language}/themes.md`), ...commandsOf(`${language}/releases.md`)]) answers.push(await run(command));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200));
    const [theme, blog, note, versions, difference, check, restored] = answers.map(({ body }) => body.data);
    expect([theme, blog, note]).toMatchObject([{ revision: 0 }, { revision: 1, base: 'blog' }, { revision: 1, content: '<p>{{ text }}</p>' }]);
    expect([versions, difference]).toMatchObject([[{ change: 2 }], { shipped: null, own: '<p>{{ text }}</p>' }]);
    expect([check, restored]).toMatchObject([{ problems: [] }, { revision: 3 }]);
    site = measured;
  });
});

describe('one site on two screens', () => {
  async function change(more: object): Promise<MeasuringSettings> {
    const { revision, tag: _tag, updatedAt: _at, ...rest } = data<MeasuringSettings>(await owner.get(als('settings')));
    const answer = await owner.send('PUT', als('settings'), { ...rest, ...more }, { 'if-match': `"${revision}"` });
    expect(answer.statusCode).toBe(200);
    return data(answer);
  }

  it.each([
    [{ globalPrivacyControl: 'ignore' }, ' data-no-gpc'],
    [{ globalPrivacyControl: 'refuse' }, ''],
    [{ identity: 'cookieless', globalPrivacyControl: 'ignore' }, ' data-cookieless'],
    [{ identity: 'first_party', globalPrivacyControl: 'cookieless' }, ''],
  ])('the tag follows %j on the dashboard as on the measuring screen', async (settings, attribute) => {
    const { tag } = await change(settings);
    expect(tag).toMatch(new RegExp(`data-site="${site.id}"${attribute}></script>$`));
    expect(data<z.infer<typeof Install>>(await owner.get(als('install'))).tag).toBe(tag);
  });

  it('without stored addresses, visitors are still told apart', async () => {
    const other = await test.makeSite(owner, { name: '茶铺', purpose: 'external', url: 'https://tea.example/', timeZone: 'Asia/Shanghai' });
    site = other;
    const send = (hits: object[]) =>
      collector.accept({
        body: JSON.stringify({ s: other.id, h: hits }),
        address: '203.0.113.77',
        userAgent: agent,
        headers: { 'accept-language': 'zh-CN' },
      });
    const today = new Date(test.ctx.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    const totals = async () => data<z.infer<typeof Report>>(await owner.get(als(`report?from=${today}&to=${today}&by=browser&series=1`)));
    await send([viewHit()]);
    await until(async () => (await totals()).totals.ips === 1);
    await change({ addresses: 'none' });
    const unknown = async (): Promise<number> =>
      Number(
        (
          await test.ctx.clickhouse.query<{ n: string }>('SELECT count() AS n FROM hits WHERE site_id = {site:String} AND ip_key = 0', {
            params: { site: other.id },
          })
        )[0]?.n,
      );
    await until(async () => {
      await send([viewHit()]);
      await collector.flush();
      return (await unknown()) > 0;
    });
    const report = await totals();
    expect(report.totals).toMatchObject({ ips: 1, visitors: 2 });
    expect(report.rows?.map(({ values }) => values.ips)).toEqual([1]);
    expect(Math.max(...(report.series ?? []).map(({ values }) => values.ips ?? 0))).toBe(1);
  });
});
