import { eq } from 'drizzle-orm';
import type { StoredNotices } from '../../contract/notices/schemas';
import { area, notifyPeople } from '../../server/areas/notices';
import { notices } from '../../server/areas/notices/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
let viewer: Person;
beforeAll(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
  const site = await t.makeSite(owner);
  viewer = await t.makePerson('member');
  await t.grant(site.id, viewer.userId, 'viewer');
  await notifyPeople(t.ctx, t.ctx.postgres.db, { kind: 'alert', siteId: site.id, message: () => ({ subject: 'Alert', paragraphs: [] }) });
});
afterAll(() => t.close());

const bellOf = async (person: Person) => (await person.get('/api/acc/notices')).json<{ data: StoredNotices }>().data;

test('another person’s notice cannot be listed or marked', async () => {
  const [own] = (await bellOf(owner)).rows;
  const [theirs] = (await bellOf(viewer)).rows;
  expect(own?.id).not.toBe(theirs?.id);
  expect((await bellOf(viewer)).rows).toHaveLength(1);
  expect((await viewer.send('POST', '/api/acc/notices/read', { ids: [own?.id, theirs?.id] })).statusCode).toBe(404);
  await viewer.send('POST', '/api/acc/notices/read', {});
  expect([(await bellOf(owner)).unread, (await bellOf(viewer)).unread]).toEqual([1, 0]);
});

test('nobody reads notices without a session', async () => {
  expect((await t.browser().get('/api/acc/notices')).statusCode).toBe(401);
});

test('deleting a person erases their notices only', async () => {
  await t.ctx.postgres.db.transaction(async (tx) => area.erasePerson?.(tx, viewer.userId, new Date(t.ctx.now())));
  const left = await t.ctx.postgres.db.select({ userId: notices.userId }).from(notices);
  expect(left).toEqual([{ userId: owner.userId }]);
  expect(await t.ctx.postgres.db.select().from(notices).where(eq(notices.userId, viewer.userId))).toEqual([]);
});
