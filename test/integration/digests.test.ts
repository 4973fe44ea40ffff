import { runSchedule } from '../support/schedules';
import { eq } from 'drizzle-orm';
import type { AlertRule, DigestPreview, Digests } from '../../contract/digests/schemas';
import type { StoredNotices } from '../../contract/notices/schemas';
import type { Site } from '../../contract/sites/schemas';
import { users } from '../../server/areas/account/schema';
import { digestSettings, digestsSent } from '../../server/areas/digests/schema';
import { outbox } from '../../server/mail/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addSubscriber } from '../support/subscribers';

const hour = 3_600_000;
const day = 24 * hour;
/** Shanghai has no daylight saving time: UTC+8. */
const zone = 'Asia/Shanghai';
let t: TestApp;
let owner: Person;
let site: Site;
beforeEach(async () => {
  t = await makeTestApp({ config: { smtpUrl: 'smtp://localhost:1' } });
  owner = await t.signUpOwner();
  site = await t.makeSite(owner, { name: '茶铺', timeZone: zone });
});
afterEach(() => t.close());

const url = () => `/api/site/${site.id}/als/digests`;
const get = async () => (await owner.get(url())).json<{ data: Digests }>().data;
async function put(change: Partial<{ weekly: boolean; monthly: boolean; hour: number; rules: AlertRule[] }>) {
  const { weekly, monthly, hour: at, rules, revision } = await get();
  return owner.send('PUT', url(), { weekly, monthly, hour: at, rules, ...change }, { 'if-match': `"${revision}"` });
}
let visitNumber = 0;
/** `n` visits of one page view each, by different visitors. */
const visit = (at: number, n: number, path = '/', source = 'Baidu') =>
  t.ctx.clickhouse.insert(
    'visits',
    Array.from({ length: n }, () => {
      visitNumber += 1;
      return {
        site_id: site.id,
        visit_id: String(visitNumber),
        version: '1',
        deleted: 0,
        visitor_id: String(visitNumber),
        start: at,
        last: at + 1000,
        received_at: at,
        pv: 1,
        upv: 1,
        is_new: 1,
        visit_no: 1,
        entry_path: path,
        exit_path: path,
        source_type: source === '' ? 'direct' : 'search',
        source_name: source,
        view_id: [String(visitNumber)],
        view_at: [0],
        view_host: ['example.com'],
        view_path: [path],
        view_title: [''],
        view_engaged: [0],
        view_scroll: [0],
        view_events: [0],
        view_search: [''],
      };
    }),
  );
/** The latest Monday, 00:00 in Shanghai, epoch ms. */
const monday = () => {
  const days = Math.floor((t.ctx.now() + 8 * hour) / day);
  return (days - ((days + 3) % 7)) * day - 8 * hour;
};
const sent = () => t.ctx.postgres.db.select().from(digestsSent);
const letters = async () => (await t.ctx.postgres.db.select().from(outbox)).length;

describe('reports', () => {
  test('go out once, next Monday at the chosen hour, to subscribers', async () => {
    await addSubscriber(t.ctx, { report: ['mail'] });
    await addSubscriber(t.ctx, { security: ['mail'] }, { name: '别人' });
    t.pass(monday() + 9 * day + 12 * hour - t.ctx.now());
    await t.ctx.postgres.db.insert(digestSettings).values({ siteId: site.id, weeklySince: new Date(t.ctx.now()), monthlySince: null, hour: 8, rules: [] });
    await runSchedule(t.ctx, 'digests.send');
    expect(await sent()).toEqual([]);
    const next = monday() + 7 * day;
    await visit(next - 2 * day, 12, '/茶');
    await visit(next - 9 * day, 8);
    t.pass(next + 7.5 * hour - t.ctx.now());
    await runSchedule(t.ctx, 'digests.send');
    expect(await sent()).toEqual([]);
    t.pass(hour);
    await Promise.all([runSchedule(t.ctx, 'digests.send'), runSchedule(t.ctx, 'digests.send')]);
    await runSchedule(t.ctx, 'digests.send');
    expect(await sent()).toMatchObject([{ kind: 'weekly', sent: 1 }]);
    expect(await letters()).toBe(1);
  });

  test('compare the week with the one before, in the reader’s language', async () => {
    const start = monday();
    await visit(start - 3 * day, 12, '/tea', 'Baidu');
    await visit(start - 10 * day, 8, '/tea', '');
    const { subject, facts } = (await owner.get(`${url()}/preview?kind=weekly`)).json<{ data: DigestPreview }>().data;
    expect(subject).toBe('茶铺 上周访客 12（+50%）');
    expect(facts).toContainEqual({ label: '访问次数', value: '12（+50%）' });
    expect(facts).toContainEqual({ label: '主要来源', value: '百度 12' });
    expect(facts).toContainEqual({ label: '热门页面', value: '/tea 12' });
    await t.ctx.postgres.db.update(users).set({ locale: 'en' }).where(eq(users.id, owner.userId));
    const english = (await owner.get(`${url()}/preview?kind=weekly`)).json<{ data: DigestPreview }>().data;
    expect(english.subject).toBe('茶铺: 12 visitors last week (+50%)');
    expect(english.facts).toContainEqual({ label: 'Top sources', value: 'Baidu 12' });
  });

  test('without visits say so instead of showing zeros', async () => {
    const { paragraphs } = (await owner.get(`${url()}/preview?kind=monthly`)).json<{ data: DigestPreview }>().data;
    expect(paragraphs.join('')).toContain('没有收到访问数据');
  });

  test('can be sent at any time and are listed', async () => {
    await addSubscriber(t.ctx, { report: ['mail'] });
    expect((await get()).hearers).toEqual({ report: 1, traffic: 0 });
    for (let n = 0; n < 2; n += 1) expect((await owner.send('POST', `${url()}/send`, { kind: 'weekly' })).json<{ data: { sent: number } }>().data.sent).toBe(1);
    expect(await letters()).toBe(2);
    expect((await get()).sent).toMatchObject([
      { kind: 'weekly', sent: 1 },
      { kind: 'weekly', sent: 1 },
    ]);
  });
});

describe('alerts', () => {
  const drop: AlertRule = { measure: 'visits', window: 'hour', direction: 'drop', percent: 50, least: 5 };
  const spike: AlertRule = { measure: 'views', window: 'day', direction: 'spike', percent: 100, least: 10 };

  /** Moves to ten minutes past the hour; returns the start of the hour before. */
  const settle = (): number => {
    const end = Math.ceil(t.ctx.now() / hour) * hour;
    t.pass(end + 10 * 60_000 - t.ctx.now());
    return end - hour;
  };
  const rules = async (list: AlertRule[]) => expect((await put({ rules: list })).statusCode).toBe(200);

  test('warn once about an hour far below recent weeks', async () => {
    await addSubscriber(t.ctx, { traffic: ['mail'] });
    await rules([drop]);
    const start = settle();
    for (const week of [1, 2, 3]) await visit(start - week * 7 * day + 60_000, 20);
    await visit(start + 60_000, 3);
    await runSchedule(t.ctx, 'digests.send');
    await runSchedule(t.ctx, 'digests.send');
    // One notice behind the owner's bell, and one mail.
    expect(await sent()).toMatchObject([{ kind: 'alert', sent: 2, value: 3, usual: 20 }]);
    expect(await letters()).toBe(1);
  });

  test('reach everybody who may read the reports, without mail', async () => {
    const viewer = await t.makePerson('member', 'viewer');
    await t.grant(site.id, viewer.userId, 'viewer');
    const support = await t.makePerson('member', 'support');
    await t.grant(site.id, support.userId, 'support');
    await rules([drop]);
    expect((await get()).people).toBe(2);
    const start = settle();
    for (const week of [1, 2]) await visit(start - week * 7 * day + 60_000, 20);
    await runSchedule(t.ctx, 'digests.send');
    const noticesOf = async (person: Person) => (await person.get('/api/acc/notices')).json<{ data: StoredNotices }>().data;
    const today = new Date(start + 8 * hour).toISOString().slice(0, 10);
    for (const person of [owner, viewer])
      expect(await noticesOf(person)).toMatchObject({
        unread: 1,
        rows: [
          {
            kind: 'alert',
            siteId: site.id,
            title: '茶铺 流量骤降',
            path: `/site/${site.id}/als/trend?from=${today}&to=${today}&show=visits&compare=weekday`,
            read: false,
          },
        ],
      });
    expect(await noticesOf(support)).toEqual({ rows: [], unread: 0 });
  });

  test('ignore ordinary hours, small numbers and new sites', async () => {
    await rules([drop]);
    const start = settle();
    await visit(start - 7 * day, 20);
    await runSchedule(t.ctx, 'digests.send');
    expect(await sent()).toEqual([]);
    await visit(start - 14 * day, 20);
    await visit(start + 1000, 11);
    await runSchedule(t.ctx, 'digests.send');
    expect(await sent()).toEqual([]);
  });

  test('warn about a day far above the usual', async () => {
    await rules([spike]);
    const today = Math.floor((t.ctx.now() + 8 * hour) / day) * day - 8 * hour;
    for (const week of [1, 2]) await visit(today - day - week * 7 * day + hour, 10);
    await visit(today - hour, 25);
    await runSchedule(t.ctx, 'digests.send');
    expect(await sent()).toMatchObject([{ kind: 'alert', value: 25, usual: 10, rule: spike }]);
  });
});

test('settings are checked, revised and limited to those who configure', async () => {
  expect(await get()).toMatchObject({ weekly: false, monthly: false, hour: 8, rules: [], mail: true, sent: [], revision: 0 });
  expect((await put({ hour: 24 })).statusCode).toBe(422);
  const never: AlertRule = { measure: 'visits', window: 'day', direction: 'drop', percent: 101, least: 1 };
  expect((await put({ rules: [never] })).json()).toMatchObject({ fields: { 'rules.0.percent': { code: 'out_of_range' } } });
  expect((await put({ rules: [{ ...never, direction: 'spike' }] })).statusCode).toBe(200);
  expect((await put({ rules: [] })).statusCode).toBe(200);
  expect((await put({ weekly: true, hour: 7 })).statusCode).toBe(200);
  expect(await get()).toMatchObject({ weekly: true, hour: 7, revision: 3 });
  const stale = await owner.send('PUT', url(), { weekly: false, monthly: false, hour: 7, rules: [] }, { 'if-match': '"0"' });
  expect(stale.statusCode).toBe(409);
  const analyst = await t.makePerson('member');
  await t.grant(site.id, analyst.userId, 'analyst');
  expect((await analyst.get(url())).statusCode).toBe(403);
  const stranger = await t.makePerson('member', 'stranger');
  expect((await stranger.get(url())).statusCode).toBe(404);
});
