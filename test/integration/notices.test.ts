import { eq } from 'drizzle-orm';
import { mostNotices } from '../../contract/notices/schemas';
import type { StoredNotices } from '../../contract/notices/schemas';
import type { LiveEvent } from '../../contract/live/schemas';
import type { Site } from '../../contract/sites/schemas';
import { notifyPeople, publishNotices } from '../../server/areas/notices';
import { notices } from '../../server/areas/notices/schema';
import { siteGrants } from '../../server/areas/sites/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';

let t: TestApp;
let owner: Person;
let site: Site;
beforeAll(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
});
beforeEach(async () => {
  site = await t.makeSite(owner, { name: '茶铺' });
  await t.ctx.postgres.db.delete(notices);
});
afterAll(() => t.close());

const notify = async (n = 1, kind: 'alert' | 'uptime' = 'alert') => {
  const message = (locale: 'zh-CN' | 'en') => ({ subject: locale === 'en' ? `Alert ${n}` : `预警 ${n}`, paragraphs: ['a', 'b'] });
  publishNotices(t.ctx, await notifyPeople(t.ctx, t.ctx.postgres.db, { kind, siteId: site.id, message }));
};
const bellOf = async (person: Person, locale = 'zh-CN') =>
  (await person.get('/api/acc/notices', { 'accept-language': locale })).json<{ data: StoredNotices }>().data;
const read = (person: Person, body: object) => person.send('POST', '/api/acc/notices/read', body);

test('a notice is unread until it is marked', async () => {
  await notify(1);
  t.pass(1000);
  await notify(2);
  const [second, first] = (await bellOf(owner)).rows;
  expect([second?.title, first?.title, first?.text, first?.path]).toEqual(['预警 2', '预警 1', 'a\nb', `/site/${site.id}`]);
  expect((await read(owner, { ids: [first?.id] })).json<{ data: StoredNotices }>().data.unread).toBe(1);
  expect((await bellOf(owner)).rows.map((row) => row.read)).toEqual([false, true]);
  await read(owner, {});
  expect((await bellOf(owner)).unread).toBe(0);
});

test('a notice reaches open consoles of its person', async () => {
  const received: LiveEvent[] = [];
  const stop = t.ctx.live.subscribe((event) => void received.push(event));
  await notify();
  while (!received.some(({ type }) => type === 'notice')) await new Promise((resolve) => setTimeout(resolve, 10));
  stop();
  expect(received).toContainEqual({ type: 'notice', userId: owner.userId });
});

test('whoever loses the site loses its notices', async () => {
  const viewer = await t.makePerson('member');
  await t.grant(site.id, viewer.userId, 'viewer');
  await notify();
  expect((await bellOf(viewer)).unread).toBe(1);
  await t.ctx.postgres.db.delete(siteGrants).where(eq(siteGrants.userId, viewer.userId));
  expect(await bellOf(viewer)).toEqual({ rows: [], unread: 0 });
});

test('people without the permission are not notified', async () => {
  const support = await t.makePerson('member');
  await t.grant(site.id, support.userId, 'support');
  await notify();
  expect((await bellOf(support)).rows).toEqual([]);
  await notify(2, 'uptime');
  expect((await bellOf(support)).rows.map(({ title }) => title)).toEqual(['预警 2']);
});

test('the list is bounded, and old notices are deleted', async () => {
  for (let n = 0; n < mostNotices + 3; n += 1) await notify(n);
  expect((await bellOf(owner)).rows).toHaveLength(mostNotices);
  t.pass(91 * 24 * 3_600_000);
  await runSchedule(t.ctx, 'notices.sweep');
  expect(await t.ctx.postgres.db.select().from(notices)).toEqual([]);
});
