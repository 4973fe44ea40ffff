import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { LiveEvent } from '../../contract/live/schemas';
import type { StoredNotices } from '../../contract/notices/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { RecordReader } from '../../contract/tables/comments';
import { mostMentions } from '../../contract/tables/mentions';
import type { RecordChange, RecordComment } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import { users } from '../../server/areas/account/schema';
import { notices } from '../../server/areas/notices/schema';
import { siteGrants } from '../../server/areas/sites/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { mailsOf, withMail } from '../support/mails';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls, Failed } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let editor: Person;
let viewer: Person;
let stranger: Person;
let site: Site;
let calls: Calls;
let teas: ContentTable;
let record: string;
beforeAll(async () => {
  program = await makeTestApp({ config: withMail });
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  editor = await personOn(program, site, 'editor');
  viewer = await personOn(program, site, 'viewer');
  stranger = await program.makePerson('member');
  calls = callsOf(owner, site);
});
afterAll(() => program.close());
beforeEach(async () => {
  teas = await calls.table({ title: '茶', fields: [{ type: 'text', title: 'Name', key: 'name' }] });
  [record = ''] = await calls.add(teas.id, [{ name: '龙井' }]);
  await program.ctx.postgres.db.delete(notices);
});

const at = (rest = ''): string => `tables/${teas.id}/records/${record}/${rest}`;
const mention = (...people: readonly { readonly userId: string }[]): string => people.map(({ userId }) => `@[${userId}]`).join(' ');
const add = (text: string, by = owner): Promise<RecordComment> => calls.post<RecordComment>(at('comments'), { text }, by);
const edit = ({ id, revision }: RecordComment, text: string, by = owner) => calls.send('PATCH', at(`comments/${id}`), { text }, revision, by);
const bellOf = async (person: Person) => (await person.get('/api/acc/notices')).json<{ data: StoredNotices }>().data.rows;
const setPerson = (person: Person, change: Partial<typeof users.$inferInsert>) =>
  program.ctx.postgres.db.update(users).set(change).where(eq(users.id, person.userId));
const readers = (query = '', by = owner): Promise<RecordReader[]> => calls.get(at(`readers${query}`), by);
const idsOf = (people: readonly { readonly id: string }[]): string[] => people.map(({ id }) => id).toSorted();

test('a mentioned person gets a notice that leads to the comments', async () => {
  const received: LiveEvent[] = [];
  const stop = program.ctx.live.subscribe((event) => void received.push(event));
  const comment = await add(`${mention(viewer)} 看一下`);
  expect(comment).toMatchObject({ text: `@[${viewer.userId}] 看一下`, mentions: [{ id: viewer.userId, name: viewer.loginName }] });
  const [notice] = await bellOf(viewer);
  expect(notice).toMatchObject({
    kind: 'mention',
    siteId: site.id,
    title: '林 在“龙井”的评论中提到了你',
    text: '茶馆 · 茶',
    path: `/site/${site.id}/table/records?table=${teas.id}&record=${record}&part=comments`,
    read: false,
  });
  await setPerson(viewer, { locale: 'en' });
  expect((await bellOf(viewer))[0]?.title).toBe('林 mentioned you in a comment on “龙井”');
  await setPerson(viewer, { locale: 'zh-CN' });
  expect([...(await bellOf(owner)), ...(await bellOf(editor))]).toEqual([]);
  while (!received.some(({ type }) => type === 'notice')) await new Promise((resolve) => setTimeout(resolve, 10));
  stop();
  expect(received.filter(({ type }) => type === 'notice')).toEqual([{ type: 'notice', userId: viewer.userId }]);
});

test('a mention follows a rename', async () => {
  await add(mention(viewer));
  await setPerson(viewer, { displayName: '周末' });
  expect((await calls.get<RecordComment[]>(at('comments')))[0]?.mentions).toEqual([{ id: viewer.userId, name: '周末' }]);
  await setPerson(viewer, { displayName: viewer.loginName });
});

test('people without access and unknown ids are refused alike', async () => {
  const disabled = await personOn(program, site, 'viewer');
  await setPerson(disabled, { disabled: true });
  const answers = [];
  for (const userId of [stranger.userId, randomUUID(), disabled.userId]) {
    const answer = await calls.send('POST', at('comments'), { text: `@[${userId}]` });
    const { requestId: _, ...failure } = answer.json<Failed & { requestId: string }>();
    answers.push([answer.statusCode, failure]);
  }
  expect(answers[0]).toMatchObject([422, { code: 'invalid_fields', fields: { text: { code: 'unknown' } } }]);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await calls.get(at('comments'))).toEqual([]);
  expect(await program.ctx.postgres.db.select().from(notices)).toEqual([]);
});

test('whoever may not read the record is neither offered nor notified', async () => {
  await setRule(program, teas, site, { role: 'viewer', action: 'read', allowed: true, filter: { field: 'name', op: 'eq', value: '普洱' } });
  expect(idsOf(await readers())).toEqual([editor.userId]);
  expect(await calls.refused('POST', at('comments'), { text: mention(viewer) })).toBe('invalid_fields');
  [record = ''] = await calls.add(teas.id, [{ name: '普洱' }]);
  expect(idsOf(await readers())).toEqual(idsOf([{ id: editor.userId }, { id: viewer.userId }]));
  await add(mention(viewer, editor));
  expect([await bellOf(viewer), await bellOf(editor)].map((rows) => rows.length)).toEqual([1, 1]);
});

test('a notice does not reveal a title that its person may not read', async () => {
  await setRule(program, teas, site, { role: 'viewer', action: 'read', allowed: true, fields: [] });
  await add(mention(viewer));
  expect((await bellOf(viewer))[0]?.title).toBe('林 在“#1”的评论中提到了你');
});

test('editing notifies only those who are newly mentioned', async () => {
  const comment = await add(mention(viewer));
  await viewer.send('POST', '/api/acc/notices/read', {});
  program.pass(1000);
  const changed = (await edit(comment, `${mention(viewer, editor)} !`)).json<{ data: RecordComment }>().data;
  expect((await bellOf(viewer)).map(({ read }) => read)).toEqual([true]);
  expect(await bellOf(editor)).toHaveLength(1);
  await edit(changed, 'nobody');
  expect([...(await bellOf(viewer)), ...(await bellOf(editor))]).toEqual([]);
});

test('somebody mentioned earlier who lost access does not prevent an edit', async () => {
  const guest = await personOn(program, site, 'viewer');
  const comment = await add(mention(guest));
  await program.ctx.postgres.db.delete(siteGrants).where(eq(siteGrants.userId, guest.userId));
  expect(await bellOf(guest)).toEqual([]);
  const answer = await edit(comment, `${mention(guest)} again`);
  expect([answer.statusCode, answer.json<{ data: RecordComment }>().data.mentions]).toEqual([200, [{ id: guest.userId, name: guest.loginName }]]);
});

test('nobody is notified of their own mention', async () => {
  expect((await add(mention(owner))).mentions).toHaveLength(1);
  expect(await bellOf(owner)).toEqual([]);
  expect(idsOf(await readers())).not.toContain(owner.userId);
});

test('a refused edit notifies nobody', async () => {
  const comment = await add('first');
  await edit(comment, 'second');
  expect((await edit(comment, mention(viewer))).statusCode).toBe(409);
  expect(await bellOf(viewer)).toEqual([]);
});

test('mentions are mailed in the recipient’s language, hourly at most per record', async () => {
  const email = 'zhou@example.com';
  await setPerson(viewer, { email, emailVerifiedAt: new Date(), locale: 'en' });
  const comment = await add(mention(viewer));
  await add(mention(viewer));
  const mails = (await mailsOf(program.ctx)).filter(({ kind }) => kind === 'tables.mention');
  expect(mails).toMatchObject([{ to: email, locale: 'en', subject: '林 mentioned you in a comment on “龙井”', paragraphs: ['茶馆 · 茶'] }]);
  expect(mails[0]?.action?.url).toContain(`record=${record}&part=comments`);
  expect(JSON.stringify(mails)).not.toContain(comment.text);
  await setPerson(viewer, { email: null, emailVerifiedAt: null, locale: 'zh-CN' });
});

test.each([
  ['an unconfirmed address', { email: 'mo@example.com', emailVerifiedAt: null }],
  ['mails turned off', { email: 'mo@example.com', emailVerifiedAt: new Date(), notices: { newDevice: true, access: true, mention: false } }],
])('a person with %s gets no mail', async (_, change) => {
  const before = (await mailsOf(program.ctx)).length;
  await setPerson(editor, change);
  await add(mention(editor));
  expect(await mailsOf(program.ctx)).toHaveLength(before);
  expect(await bellOf(editor)).toHaveLength(1);
  await setPerson(editor, { email: null, emailVerifiedAt: null, notices: { newDevice: true, access: true } });
});

test('an edit refused as stale uses up no mail', async () => {
  await setPerson(viewer, { email: 'zhou@example.com', emailVerifiedAt: new Date() });
  const mailed = async () => (await mailsOf(program.ctx)).length;
  const before = await mailed();
  const comment = await add('first');
  const changed = (await edit(comment, 'second')).json<{ data: RecordComment }>().data;
  expect((await edit(comment, mention(viewer))).statusCode).toBe(409);
  expect(await mailed()).toBe(before);
  await edit(changed, mention(viewer));
  expect(await mailed()).toBe(before + 1);
  await setPerson(viewer, { email: null, emailVerifiedAt: null });
});

test('a deleted comment takes its notices with it', async () => {
  const { id } = await add(mention(viewer, editor));
  await calls.send('DELETE', at(`comments/${id}`));
  expect([...(await bellOf(viewer)), ...(await bellOf(editor))]).toEqual([]);
  await add(mention(viewer));
  await calls.post(`tables/${teas.id}/records/trash`, { target: { ids: [record] } });
  await calls.post(`tables/${teas.id}/records/purge`, { ids: [record] });
  expect(await bellOf(viewer)).toEqual([]);
});

test('a deleted person is mentioned without a name, and named by no notice', async () => {
  const leaver = await personOn(program, site, 'viewer');
  await add(mention(leaver));
  await add(mention(viewer), leaver);
  const removed = await add(mention(leaver));
  await calls.send('DELETE', at(`comments/${removed.id}`));
  expect(await bellOf(viewer)).toHaveLength(1);
  const answer = await owner.send('DELETE', `/api/acc/users/${leaver.userId}`, { confirm: leaver.loginName });
  expect(answer.statusCode).toBeLessThan(300);
  const [mentioning, written] = await calls.get<RecordComment[]>(at('comments'));
  expect([mentioning?.mentions, written?.by]).toEqual([[{ id: leaver.userId, name: '' }], '']);
  expect(await bellOf(viewer)).toEqual([]);
  // Undoing the removal would bring back a notice to them.
  expect(await calls.refused('POST', at(`comments/${removed.id}/restore`))).toBe('not_found');
});

test('history tells a deleted person from the program', async () => {
  const leaver = await personOn(program, site, 'editor');
  const [added = ''] = await calls.add(teas.id, [{ name: '碧螺春' }], leaver);
  const history = () => calls.get<RecordChange[]>(`tables/${teas.id}/records/${added}/history`);
  expect((await history()).map(({ by, byDeleted }) => [by, byDeleted])).toEqual([[leaver.loginName, undefined]]);
  await owner.send('DELETE', `/api/acc/users/${leaver.userId}`, { confirm: leaver.loginName });
  expect((await history()).map(({ by, byDeleted }) => [by, byDeleted])).toEqual([['', true]]);
});

test('a comment mentions at most twenty people', async () => {
  const ids = Array.from({ length: mostMentions + 1 }, () => `@[${randomUUID()}]`);
  const answer = await calls.send('POST', at('comments'), { text: ids.join(' ') });
  expect([answer.statusCode, answer.json<Failed>().fields]).toEqual([422, { text: { code: 'out_of_range', max: mostMentions } }]);
});

test('readers are found by part of their name or full login name', async () => {
  await setPerson(viewer, { displayName: '陈一诺' });
  expect(await readers(`?q=${encodeURIComponent('一诺')}`)).toEqual([{ id: viewer.userId, name: '陈一诺', avatar: null }]);
  expect(idsOf(await readers(`?q=${viewer.loginName}`))).toEqual([viewer.userId]);
  expect(await readers(`?q=${viewer.loginName.slice(0, -1)}`)).toEqual([]);
  await setPerson(viewer, { displayName: viewer.loginName });
});

test('readers are listed to nobody outside the site or record', async () => {
  const path = calls.path(at('readers'));
  expect((await stranger.get(path)).statusCode).toBe(404);
  const other = callsOf(owner, await program.makeSite(owner, { name: '酒馆' }));
  expect((await owner.get(other.path(at('readers')))).statusCode).toBe(404);
  await setRule(program, teas, site, { role: 'viewer', action: 'read', allowed: false });
  expect((await viewer.get(path)).statusCode).toBe(404);
  expect(await calls.refused('POST', at('comments'), { text: mention(editor) }, undefined, viewer)).toBe('not_found');
});

test('an author mentions people in at most sixty comments an hour', async () => {
  const author = await personOn(program, site, 'editor');
  const statuses: number[] = [];
  for (let n = 0; n <= 60; n += 1) {
    const { statusCode } = await author.send('POST', `/api/site/${site.id}/table/${at('comments')}`, { text: `${mention(viewer)} ${n}` });
    statuses.push(statusCode);
  }
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429]);
  await expect(add('没有提到谁', author)).resolves.toMatchObject({ mentions: [] });
});
