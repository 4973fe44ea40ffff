import { runSchedule } from '../support/schedules';
import { startChecker } from '../../server/areas/uptime/checker';
import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { StoredNotices } from '../../contract/notices/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { UptimeIncident, UptimeStatus } from '../../contract/uptime/schemas';
import { auditLog } from '../../server/areas/audit/schema';
import type { Checker, CheckerOptions } from '../../server/areas/uptime/checker';
import { uptimeIncidents } from '../../server/areas/uptime/schema';
import { startCollector } from '../../server/collect';
import { createDelivery } from '../../server/delivery';
import { dataOf as data, makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { freePort } from '../support/program';
import { until } from '../support/until';
import { makeFolder } from './collectSupport';
import { minute, openCheckedServer, uptimeCalls } from './uptimeSupport';
import type { CheckedServer } from './uptimeSupport';

const day = 24 * 60 * minute;
const fixture = (name: string): string => readFileSync(path.resolve('test/fixtures/tls', name), 'utf8');

let t: TestApp;
let owner: Person;
let checked: CheckedServer;
let checkers: Checker[];
beforeEach(async () => {
  t = await makeTestApp({ config: { smtpUrl: 'smtp://localhost:1', privateSites: true } });
  owner = await t.signUpOwner();
  checkers = [];
  checked = await openCheckedServer();
});
afterEach(async () => {
  for (const checker of checkers) await checker.close();
  checked.close();
  await t.close();
});

const failing: RequestListener = (_request, response) => response.writeHead(503).end();
const check = (options: CheckerOptions = {}): void => void checkers.push(startChecker(t.ctx, { pollEvery: 25, ...options }));
const addSite = (name = '茶铺'): Promise<Site> => t.makeSite(owner, { name, purpose: 'external', url: checked.address, timeZone: 'Asia/Shanghai' });
const { at, settings, status, incidents, put, monitor, nextCheck, subscribe, queuedNotices } = uptimeCalls(() => ({ t, owner }));

describe('a monitored site', () => {
  test('is not requested until switched on', async () => {
    const site = await addSite();
    check();
    expect(await status(site)).toMatchObject({ enabled: false, state: 'unknown', reason: null, checkedAt: null });
    expect(await settings(site)).toEqual({
      enabled: false,
      intervalMinutes: 5,
      path: '',
      expectedStatus: null,
      keyword: '',
      address: checked.address,
      recipients: 0,
      people: 1,
      mail: true,
      revision: 0,
    });
    t.pass(60 * minute);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(checked.requests).toBe(0);
  });

  test('is checked when switched on, then at its interval and path', async () => {
    const site = await addSite();
    const paths: unknown[] = [];
    checked.answers = (request, response) => {
      paths.push(request.url);
      response.end();
    };
    check();
    await put(site, { path: '/health?full=1', intervalMinutes: 15 });
    await until(async () => (await status(site)).state === 'up');
    await nextCheck(site, 15 * minute);
    expect(paths).toEqual(['/health?full=1', '/health?full=1']);
    expect(await status(site)).toMatchObject({ state: 'up', reason: null, detail: '' });
  });

  test('is down after two failures, with one notice each way', async () => {
    await subscribe({ uptime: ['mail'] });
    await subscribe({ billing: ['mail'] });
    const site = await addSite();
    check();
    check();
    await put(site);
    await until(async () => (await status(site)).state === 'up');
    const since = (await status(site)).since;

    checked.answers = failing;
    await nextCheck(site);
    expect(await status(site)).toMatchObject({ state: 'up', since, reason: null });
    expect(await queuedNotices()).toEqual([]);
    const firstFailure = (await monitor(site))?.failingSince;
    await nextCheck(site, 22_000);
    expect(await status(site)).toMatchObject({ state: 'down', since: firstFailure?.toISOString(), reason: 'status', detail: '503' });
    expect((await incidents(site)).rows).toEqual([
      { id: expect.any(String), startedAt: firstFailure?.toISOString(), endedAt: null, reason: 'status', detail: '503' },
    ]);
    await nextCheck(site);
    await nextCheck(site);
    expect((await queuedNotices()).map(({ kind, subject }) => [kind, subject])).toEqual([['contact.uptime', '茶铺 无法访问']]);
    expect((await queuedNotices())[0]?.facts?.[0]).toEqual({ label: '原因', value: '返回了状态码 503' });

    checked.answers = (_request, response) => response.end();
    await nextCheck(site);
    expect((await status(site)).state).toBe('up');
    expect((await queuedNotices()).map(({ subject }) => subject)).toEqual(['茶铺 无法访问', '茶铺 已恢复，中断 15 分钟']);
    const [incident] = (await incidents(site)).rows;
    expect(incident?.endedAt).toBe((await status(site)).since);
    const bell = (await owner.get('/api/acc/notices')).json<{ data: StoredNotices }>().data;
    expect(bell.rows.map((notice) => [notice.title, notice.path])).toEqual([
      ['茶铺 已恢复，中断 15 分钟', `/site/${site.id}/dashboard`],
      ['茶铺 无法访问', `/site/${site.id}/dashboard`],
    ]);
    expect((await queuedNotices())[1]?.facts?.find(({ label }) => label === '持续时间')?.value).toBe('15 分钟');
  });

  test('whose second attempt succeeds was never down', async () => {
    await subscribe({ uptime: ['mail'] });
    const site = await addSite();
    check();
    await put(site);
    await until(async () => (await status(site)).state === 'up');
    checked.answers = failing;
    await nextCheck(site);
    checked.answers = (_request, response) => response.end();
    await nextCheck(site, 22_000);
    expect(await status(site)).toMatchObject({ state: 'up', reason: null });
    expect([await queuedNotices(), (await incidents(site)).rows]).toEqual([[], []]);
  });

  test('is checked by one of several checkers at a time', async () => {
    const site = await addSite();
    for (let n = 0; n < 4; n += 1) check();
    await put(site);
    for (let n = 1; n <= 5; n += 1) {
      await until(() => checked.requests === n);
      await until(async () => (await monitor(site))?.leaseId === null);
      t.pass(5 * minute);
    }
    expect(checked.requests).toBeLessThanOrEqual(6);
  });

  test('whose settings change during a check is judged by the new', async () => {
    const site = await addSite();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    checked.answers = (request, response) => void (request.url === '/' ? held.then(() => response.writeHead(500).end()) : response.end());
    check();
    await put(site);
    await until(() => checked.requests === 1);
    await put(site, { path: '/other' });
    await until(async () => (await status(site)).state === 'up');
    release();
    await until(async () => (await monitor(site))?.leaseId === null);
    expect((await monitor(site))?.failingSince).toBeNull();
  });

  test('built here is requested at the delivery listener', async () => {
    const folder = await makeFolder();
    const deliveryPort = await freePort();
    const ctx = { ...t.ctx, config: { ...t.ctx.config, dataDir: folder.dataDir, deliveryPort } };
    const site = await t.makeSite(owner, { name: 'Tea', purpose: 'built' });
    const collector = await startCollector(ctx);
    const delivery = await createDelivery(ctx, collector);
    await delivery.listen({ host: '127.0.0.1', port: deliveryPort });
    await put(site, { keyword: 'Tea' });
    checkers.push(startChecker(ctx, { pollEvery: 25 }));
    await until(async () => (await monitor(site))?.state === 'up');
    await put(site, { path: '/nowhere' });
    await until(async () => (await monitor(site))?.failingSince !== null);
    await delivery.close();
    await collector.close();
    await folder.remove();
  });

  test('restarts after archiving or switching off, ending incidents without notice', async () => {
    await subscribe({ uptime: ['mail'] });
    const [first, second] = [await addSite('一'), await addSite('二')];
    checked.answers = failing;
    check();
    await put(first);
    await put(second);
    for (const site of [first, second]) await until(async () => (await monitor(site))?.failingSince !== null);
    t.pass(22_000);
    for (const site of [first, second]) await until(async () => (await status(site)).state === 'down');
    expect(await queuedNotices()).toHaveLength(2);
    await owner.send('POST', `/api/core/sites/${first.id}/state`, { to: 'archived' });
    await runSchedule(t.ctx, 'uptime.sweep');
    await put(second, { enabled: false });
    expect((await incidents(first)).rows[0]?.endedAt).not.toBeNull();
    expect((await incidents(second)).rows[0]?.endedAt).not.toBeNull();
    expect([(await status(first)).state, (await status(second)).state]).toEqual(['unknown', 'unknown']);
    checked.answers = (_request, response) => response.end();
    await owner.send('POST', `/api/core/sites/${first.id}/state`, { to: 'open' });
    t.pass(5 * minute);
    await until(async () => (await status(first)).state === 'up');
    expect(await queuedNotices()).toHaveLength(2);
  });

  test('has an unknown state without recent checks', async () => {
    const site = await addSite();
    check();
    await put(site);
    await until(async () => (await status(site)).state === 'up');
    for (const checker of checkers.splice(0)) await checker.close();
    t.pass(13 * minute);
    expect(await status(site)).toMatchObject({ enabled: true, state: 'unknown', since: null, reason: 'overdue' });
  });

  test('is released by a checker that stops during a check', async () => {
    const site = await addSite();
    checked.answers = () => undefined;
    check();
    await put(site);
    await until(() => checked.requests === 1);
    for (const checker of checkers.splice(0)) await checker.close();
    expect(await monitor(site)).toMatchObject({ leaseId: null, checkedAt: null, failingSince: null });
  });
});

describe('a certificate', () => {
  let tls: Server;
  let options: CheckerOptions;
  beforeEach(async () => {
    tls = createTlsServer({ key: fixture('key.pem'), cert: fixture('valid.pem') }, (_request, response) => response.end('Tea'));
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    options = { probe: { authorities: fixture('valid.pem'), resolve: async () => [{ address: '127.0.0.1', family: 4 }] } };
  });
  afterEach(() => {
    tls.closeAllConnections();
    tls.close();
  });

  test('expiring causes notices 21, 7 and 1 days before, each once', async () => {
    await subscribe({ uptime: ['mail'] });
    await subscribe({ uptime: ['mail'], certificate: ['mail'] });
    await subscribe({ certificate: ['mail'] }, { locale: 'en' });
    const site = await t.makeSite(owner, { name: '茶铺', purpose: 'external', url: `https://shop.test:${(tls.address() as AddressInfo).port}/` });
    check(options);
    await put(site);
    await until(async () => (await status(site)).state === 'up');
    expect((await status(site)).certificateExpiresAt).toBe('2099-01-01T00:00:00.000Z');
    const until21 = Date.parse('2099-01-01T00:00:00Z') - 21 * day - t.ctx.now();
    await nextCheck(site, until21 - 60 * minute);
    expect(await queuedNotices()).toEqual([]);
    for (const [pass, count] of [
      [60 * minute, 3],
      [5 * minute, 3],
      [14 * day, 6],
      [day, 6],
      [5 * day, 9],
      [5 * minute, 9],
    ] as const) {
      await nextCheck(site, pass);
      expect(await queuedNotices()).toHaveLength(count);
    }
    expect((await queuedNotices()).map(({ kind }) => kind).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'contact.certificate'),
      ...Array.from({ length: 6 }, () => 'contact.uptime'),
    ]);
    expect(new Set((await queuedNotices()).map(({ subject }) => subject))).toEqual(
      new Set([
        ...[21, 7, 1].map((days) => `茶铺 的 HTTPS 证书将在 ${days} 天内到期`),
        ...['21 days', '7 days', 'a day'].map((days) => `The HTTPS certificate of 茶铺 expires within ${days}`),
      ]),
    );
  });

  test('that is untrusted makes the site down with a TLS error', async () => {
    const site = await t.makeSite(owner, { name: '茶铺', purpose: 'external', url: `https://shop.test:${(tls.address() as AddressInfo).port}/` });
    const { resolve } = options.probe ?? {};
    check({ probe: { ...(resolve && { resolve }) } });
    await put(site);
    await until(async () => (await monitor(site))?.failingSince !== null);
    await nextCheck(site, 22_000);
    expect(await status(site)).toMatchObject({ state: 'down', reason: 'tls', detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});

describe('settings', () => {
  test('are changed with an audit line, and stale changes refused', async () => {
    const site = await addSite();
    expect((await put(site, { path: '/health', intervalMinutes: 1 })).statusCode).toBe(200);
    const refused = await put(site, { intervalMinutes: 15 }, owner, 0);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'stale_revision', current: { path: '/health', revision: 1 } });
    await put(site, { keyword: '茶' });
    const lines = (await t.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id)).filter(({ action }) => action === 'uptime.changed');
    expect(lines.map(({ siteId, before, after }) => ({ siteId, before, after }))).toEqual([
      {
        siteId: site.id,
        before: { enabled: false, intervalMinutes: 5, checkedPath: '' },
        after: { enabled: true, intervalMinutes: 1, checkedPath: '/health' },
      },
      { siteId: site.id, before: { keyword: '' }, after: { keyword: '茶' } },
    ]);
  });

  test('refuse invalid checks and name the field', async () => {
    const site = await addSite();
    for (const [field, value] of [
      ['path', 'health'],
      ['path', '/a b'],
      ['path', '/#top'],
      ['intervalMinutes', 2],
      ['expectedStatus', 42],
      ['keyword', 'x'.repeat(201)],
    ] as const) {
      const answer = await put(site, { [field]: value });
      expect([answer.statusCode, Object.keys(answer.json<{ fields: object }>().fields)]).toEqual([422, [field]]);
    }
  });

  test('a path cannot name another host', async () => {
    const site = await addSite();
    const paths: unknown[] = [];
    checked.answers = (request, response) => {
      paths.push(request.url);
      response.end();
    };
    check();
    await put(site, { path: '//other.example/x' });
    await until(async () => (await status(site)).state === 'up');
    expect(paths).toEqual(['//other.example/x']);
  });

  test('count the contacts notified', async () => {
    const site = await addSite();
    await subscribe({ uptime: ['mail'] });
    await subscribe({ uptime: ['mail'] }, { siteIds: ['zzzzzzzzzzzz'] });
    expect(await settings(site)).toMatchObject({ recipients: 1, mail: true });
  });
});

describe('rights', () => {
  test('status and settings need their permissions, and strangers get 404', async () => {
    const site = await addSite();
    await put(site);
    const [support, outsider] = [await t.makePerson('member'), await t.makePerson('member')];
    await t.grant(site.id, support.userId, 'support');
    const codes = async (person: Person) =>
      Promise.all([
        person.get(at(site)),
        person.get(at(site, '/incidents')),
        person.get(at(site, '/settings')),
        person.send('PUT', at(site, '/settings'), { enabled: false, intervalMinutes: 5, path: '', expectedStatus: null, keyword: '' }, { 'if-match': '"1"' }),
      ]).then((all) => all.map(({ statusCode }) => statusCode));
    expect(await codes(support)).toEqual([200, 200, 403, 403]);
    expect(await codes(outsider)).toEqual([404, 404, 404, 404]);
    const listed = async (person: Person) => data<UptimeStatus[]>(await person.get('/api/core/sites/uptime')).map(({ siteId }) => siteId);
    expect([await listed(owner), await listed(support), await listed(outsider)]).toEqual([[site.id], [site.id], []]);
  });
});

describe('incidents', () => {
  const insert = (site: Site, from: number, count: number) =>
    t.ctx.postgres.db.insert(uptimeIncidents).values(
      Array.from({ length: count }, (_, n) => ({
        siteId: site.id,
        startedAt: new Date(from + n * minute),
        endedAt: new Date(from + n * minute + 1000),
        reason: 'timeout' as const,
        detail: 'ETIMEDOUT',
      })),
    );

  test('are listed latest first, by page', async () => {
    const [site, other] = [await addSite(), await addSite()];
    await insert(site, t.ctx.now() - day, 30);
    await insert(other, t.ctx.now() - day, 3);
    const page = async (query: string) => data<{ rows: UptimeIncident[]; next: string | null }>(await owner.get(at(site, `/incidents?${query}`)));
    const first = await page('size=20');
    const second = await page(`size=20&before=${first.next}`);
    expect([first.rows.length, second.rows.length, second.next]).toEqual([20, 10, null]);
    const starts = [...first.rows, ...second.rows].map(({ startedAt }) => startedAt);
    expect(starts).toEqual(starts.toSorted().toReversed());
  });

  test('are deleted after ninety days', async () => {
    const site = await addSite();
    await insert(site, t.ctx.now() - 91 * day, 2);
    await insert(site, t.ctx.now() - 89 * day, 3);
    await runSchedule(t.ctx, 'uptime.sweep');
    expect((await incidents(site)).rows).toHaveLength(3);
  });
});
