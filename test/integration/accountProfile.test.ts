import { PNG } from 'pngjs';
import type { User } from '../../contract/session/schemas';
import { auditLog } from '../../server/areas/audit/schema';
import { avatars } from '../../server/areas/account/schema';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

const picture = (shade: number, size = 32): string => {
  const png = new PNG({ width: size, height: size });
  png.data.fill(shade);
  return PNG.sync.write(png).toString('base64');
};
const put = (who: Browser, png: unknown) => who.send('PUT', '/api/acc/avatar', { png });
const userOf = async (who: Browser, id: string) => (await who.get(`/api/acc/user/${id}`)).json<{ data: User }>().data;

describe('one’s own picture', () => {
  test('is re-encoded, versioned in its address and cacheable', async () => {
    const { avatar, revision } = (await put(owner, picture(200))).json<{ data: User }>().data;
    expect(avatar).toMatch(new RegExp(`^/api/acc/user/${owner.userId}/avatar\\?v=[\\w-]{16}$`));
    expect(await userOf(owner, owner.userId)).toMatchObject({ avatar, revision });
    const avatarResponse = await owner.get(avatar ?? '');
    expect([avatarResponse.statusCode, avatarResponse.headers['content-type'], avatarResponse.headers['cache-control']]).toEqual([
      200,
      'image/png',
      'private, max-age=31536000, immutable',
    ]);
    expect(avatarResponse.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(PNG.sync.read(avatarResponse.rawPayload)).toMatchObject({ width: 256, height: 256 });
    const again = await owner.get(avatar ?? '', { 'if-none-match': String(avatarResponse.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    // Without the version, or with that of a former picture, the browser revalidates.
    expect((await owner.get(`/api/acc/user/${owner.userId}/avatar`)).headers['cache-control']).toBe('private, no-cache');
    const next = (await put(owner, picture(90))).json<{ data: User }>().data.avatar;
    expect(next).not.toBe(avatar);
    expect((await owner.get(avatar ?? '')).headers['cache-control']).toBe('private, no-cache');
    expect(await t.ctx.postgres.db.$count(avatars)).toBe(1);
  });
  test('can be removed', async () => {
    const { avatar } = (await put(owner, picture(200))).json<{ data: User }>().data;
    expect((await owner.send('DELETE', '/api/acc/avatar')).json()).toMatchObject({ data: { avatar: null } });
    expect((await owner.get(avatar ?? '')).statusCode).toBe(404);
    expect((await owner.send('DELETE', '/api/acc/avatar')).statusCode).toBe(200);
  });
  test('is logged once when changed or removed', async () => {
    for (const png of [picture(200), picture(200), picture(90)]) await put(owner, png);
    for (let time = 0; time < 2; time += 1) await owner.send('DELETE', '/api/acc/avatar');
    const lines = (await t.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id)).filter(({ action }) => action.startsWith('account.avatar'));
    expect(lines.map(({ action, targetId }) => [action, targetId])).toEqual(
      ['account.avatar_changed', 'account.avatar_changed', 'account.avatar_removed'].map((action) => [action, owner.userId]),
    );
  });
  test.each<[string, unknown, number, object]>([
    ['a text', Buffer.from('<svg onload="alert(1)"/>').toString('base64'), 422, { fields: { png: { code: 'not_an_image' } } }],
    ['what is not base64', '%%%', 422, { fields: { png: { code: 'pattern' } } }],
    ['nothing', undefined, 422, { fields: { png: { code: 'required' } } }],
    ['a number', 7, 422, { fields: { png: { code: 'wrong_type' } } }],
    ['more than two megabytes', Buffer.alloc(2 * 2 ** 20 + 3).toString('base64'), 413, { code: 'too_large' }],
    ['far more', 'A'.repeat(3_000_000), 413, { code: 'too_large' }],
  ])('refuses %s', async (_name, png, status, body) => {
    const answer = await put(owner, png);
    expect([answer.statusCode, answer.json()]).toEqual([status, expect.objectContaining(body)]);
    expect(await t.ctx.postgres.db.$count(avatars)).toBe(0);
  });
  test('is visible only to those who may see the person', async () => {
    const [a, b, stranger, manager] = [
      await t.makePerson('member'),
      await t.makePerson('member'),
      await t.makePerson('finance'),
      await t.makePerson('manager'),
    ];
    const site = await t.makeSite(owner);
    for (const person of [a, b]) await t.grant(site.id, person.userId, 'viewer');
    const { avatar } = (await put(a, picture(120))).json<{ data: User }>().data;
    const statuses = [];
    for (const who of [a, b, owner, manager, stranger, t.browser()]) statuses.push((await who.get(avatar ?? '')).statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 404, 401]);
  });
});

test('owners and managers see everybody, others colleagues of their sites', async () => {
  const people = {
    owner,
    manager: await t.makePerson('manager'),
    finance: await t.makePerson('finance'),
    here: await t.makePerson('member'),
    also: await t.makePerson('member'),
    elsewhere: await t.makePerson('member'),
  };
  const [one, two] = [await t.makeSite(people.manager), await t.makeSite(people.manager, { name: 'Other' })];
  await t.grant(one.id, people.here.userId, 'viewer');
  await t.grant(one.id, people.also.userId, 'support');
  await t.grant(two.id, people.elsewhere.userId, 'admin');
  const profileFor = async (reader: Person): Promise<string[]> => {
    const visibleNames = [];
    for (const [name, { userId }] of Object.entries(people)) if ((await reader.get(`/api/acc/user/${userId}`)).statusCode === 200) visibleNames.push(name);
    return visibleNames;
  };
  const everybody = Object.keys(people);
  expect(await profileFor(people.owner)).toEqual(everybody);
  expect(await profileFor(people.manager)).toEqual(everybody);
  expect(await profileFor(people.finance)).toEqual(['finance']);
  // The manager created the sites and therefore has a grant on both.
  expect(await profileFor(people.here)).toEqual(['manager', 'here', 'also']);
  expect(await profileFor(people.elsewhere)).toEqual(['manager', 'elsewhere']);
  // A site in the bin does not make people colleagues.
  await people.manager.send('DELETE', `/api/core/sites/${one.id}`, { confirm: 'Tea house' });
  expect(await profileFor(people.also)).toEqual(['also']);
  // Private settings are not shown to others.
  expect(await userOf(people.manager, people.here.userId)).toMatchObject({ notices: null });
});

test('mail preferences are stored, and only display name changes are logged', async () => {
  const change = async (body: object) => {
    const { revision } = await userOf(owner, owner.userId);
    return owner.send('PATCH', `/api/acc/user/${owner.userId}`, body, { 'if-match': `"${revision}"` });
  };
  expect((await change({ notices: { newDevice: false, access: true } })).json()).toMatchObject({ data: { notices: { newDevice: false, access: true } } });
  expect((await change({ notices: { newDevice: true, access: true, mention: false } })).json()).toMatchObject({ data: { notices: { mention: false } } });
  // A client that does not know the newest preference leaves it as it is.
  expect((await change({ notices: { newDevice: false, access: true } })).json()).toMatchObject({ data: { notices: { newDevice: false, mention: false } } });
  expect((await change({ notices: { newDevice: false } })).json()).toMatchObject({ fields: { 'notices.access': { code: 'required' } } });
  expect((await change({ notices: { newDevice: false, access: true, all: true } })).json()).toMatchObject({
    fields: { 'notices.all': { code: 'unknown_field' } },
  });
  await change({ colorScheme: 'dark', timeZone: 'Europe/Berlin' });
  await change({ displayName: '林晓' });
  await change({ displayName: '林晓' });
  const lines = (await t.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id)).filter(({ action }) => action === 'account.profile_changed');
  expect(lines.map(({ before, after, targetId }) => [before, after, targetId])).toEqual([[{ displayName: '林' }, { displayName: '林晓' }, owner.userId]]);
});

test('colleagues of a site see only name, picture and role', async () => {
  const site = await t.makeSite(owner);
  const [one, other] = [await t.makePerson('member'), await t.makePerson('member')];
  await t.grant(site.id, one.userId, 'editor');
  await t.grant(site.id, other.userId, 'viewer');
  const visibleUser = (await one.get(`/api/acc/user/${other.userId}`)).json<{ data: object }>().data;
  expect(Object.keys(visibleUser).toSorted()).toEqual(['avatar', 'createdAt', 'displayName', 'id', 'role']);
  expect(await userOf(one, one.userId)).toMatchObject({ loginName: one.loginName, timeZone: 'Asia/Shanghai' });
  expect(await userOf(owner, other.userId)).toMatchObject({ loginName: other.loginName, notices: null });
});
