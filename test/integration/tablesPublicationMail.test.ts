import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { Written } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { users } from '../../server/areas/account/schema';
import { publishDue } from '../../server/areas/tables/publishing';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { mailsOf, withMail } from '../support/mails';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
const minute = 60_000;
let program: TestApp;
let owner: Person;
let editor: Person;
let site: Site;
let calls: Calls;
let posts: ContentTable;
beforeAll(async () => {
  program = await makeTestApp({ config: withMail });
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: 'Tea House' });
  editor = await personOn(program, site, 'editor');
  calls = callsOf(owner, site);
  await mailTo(owner, 'owner@example.com', 'zh-CN');
});
afterAll(() => program.close());
beforeEach(async () => {
  await mailTo(editor, 'editor@example.com', 'en');
  posts = await calls.table({
    title: 'Posts',
    drafts: true,
    fields: [
      { type: 'text', title: 'Title', key: 'title' },
      { type: 'text', title: 'Summary', key: 'summary', required: true },
    ],
  });
});

async function mailTo({ userId }: Person, email: string, locale: 'en' | 'zh-CN', verified = true): Promise<void> {
  const emailVerifiedAt = verified ? new Date(program.ctx.now()) : null;
  await program.ctx.postgres.db.update(users).set({ email, locale, emailVerifiedAt }).where(eq(users.id, userId));
}
/** Incomplete records whose scheduled time has passed; they were complete when scheduled. */
async function dueAndBad(count: number, by: Person): Promise<string[]> {
  const ids = await calls.add(
    posts.id,
    Array.from({ length: count }, (_, n) => ({ title: `t${n}`, summary: 's' })),
  );
  const at = new Date(program.ctx.now() + 10 * minute).toISOString();
  await calls.post<Written>(`tables/${posts.id}/records/publish`, { target: { ids }, at }, by);
  await calls.send('PATCH', `tables/${posts.id}/records`, { changes: ids.map((id) => ({ id, values: { summary: '' } })) });
  program.pass(11 * minute);
  return ids;
}
/** Mails about this test’s table. */
const letters = async () =>
  (await mailsOf(program.ctx)).filter(({ kind, action }) => kind === 'tables.publication_failed' && action?.url.includes(posts.id) === true);

test('one mail per scheduler lists all failed publications, in their language', async () => {
  await dueAndBad(3, editor);
  await dueAndBad(1, owner);
  await publishDue(program.ctx);
  await publishDue(program.ctx);
  const sent = (await letters()).toSorted((a, b) => a.to.localeCompare(b.to)).map(({ to, subject, paragraphs }) => [to, subject, ...paragraphs]);
  expect(sent).toEqual([
    ['editor@example.com', 'Tea House: a scheduled publication failed', expect.stringContaining('3 records of “Posts” could not be published')],
    ['owner@example.com', 'Tea House：定时发布失败', expect.stringContaining('“Posts”中有 1 条记录没有按时发布')],
  ]);
  expect((await letters())[0]?.action?.url).toBe(`${program.ctx.config.publicUrl}/site/${site.id}/table/records?table=${posts.id}`);
});

test('no mail goes to unconfirmed addresses, lost access or published records', async () => {
  const ids = await dueAndBad(1, editor);
  await calls.send('PATCH', `tables/${posts.id}/records`, { changes: ids.map((id) => ({ id, values: { summary: 's' } })) });
  await publishDue(program.ctx);
  await mailTo(editor, 'editor@example.com', 'en', false);
  await dueAndBad(1, editor);
  await publishDue(program.ctx);
  await mailTo(editor, 'editor@example.com', 'en');
  await dueAndBad(1, editor);
  await setRule(program, posts, site, { role: 'editor', action: 'read', allowed: false });
  await publishDue(program.ctx);
  expect(await letters()).toEqual([]);
});

test('a failure is recorded only together with its mail', async () => {
  const [id = ''] = await dueAndBad(1, editor);
  const { pool } = program.ctx.postgres;
  await pool.query("ALTER TABLE outbox ADD CONSTRAINT nothing_more CHECK (created_at < now() - interval '100 years') NOT VALID");
  await publishDue(program.ctx);
  const failures = async () => (await pool.query('SELECT record_id FROM content_publication_failures WHERE record_id = $1', [id])).rows.length;
  const [failuresBefore, lettersBefore] = [await failures(), (await letters()).length];
  await pool.query('ALTER TABLE outbox DROP CONSTRAINT nothing_more');
  await publishDue(program.ctx);
  expect([failuresBefore, lettersBefore, await failures(), (await letters()).length]).toEqual([0, 0, 1, 1]);
});
