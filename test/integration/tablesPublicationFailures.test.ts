import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { PublicationFailure } from '../../contract/tables/publications';
import type { ContentRecord, Written } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { publishDue } from '../../server/areas/tables/publishing';
import { contentPublicationFailures } from '../../server/areas/tables/core/schema';
import { makeTestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import type { Person, TestApp } from '../support/app';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
const minute = 60_000;
let program: TestApp;
let owner: Person;
let editor: Person;
let viewer: Person;
let site: Site;
let calls: Calls;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  editor = await personOn(program, site, 'editor');
  viewer = await personOn(program, site, 'viewer');
  calls = callsOf(owner, site);
});
afterAll(() => program.close());

let posts: ContentTable;
beforeEach(async () => {
  posts = await calls.table({
    title: '文章',
    drafts: true,
    fields: [
      { type: 'text', title: 'Title', key: 'title' },
      { type: 'text', title: 'Summary', key: 'summary', required: true },
    ],
  });
});
const at = (rest: string): string => `tables/${posts.id}/records/${rest}`;
const fieldId = (key: string): string => posts.fields.find((field) => field.key === key)?.id ?? '';
const add = async (title: string): Promise<string> => (await calls.add(posts.id, [{ title, summary: 's' }]))[0] ?? '';
const change = (id: string, values: object) => calls.send('PATCH', `tables/${posts.id}/records`, { changes: [{ id, values }] });
const soon = (): string => new Date(program.ctx.now() + 10 * minute).toISOString();
const schedule = (ids: string[], by?: Person) => calls.post<Written>(at('publish'), { target: { ids }, at: soon() }, by);
const later = async (): Promise<void> => {
  program.pass(11 * minute);
  await publishDue(program.ctx);
};
const failures = (by?: Person) => calls.get<PublicationFailure[]>(`publication-failures?table=${posts.id}`, by);
const state = async (id: string) => (await calls.get<ContentRecord>(at(id))).state;

test('a failed scheduled publication is listed and does not block others', async () => {
  const [bad, good] = [await add('bad'), await add('good')];
  await schedule([bad, good], editor);
  await change(bad, { summary: '' });
  await later();
  expect([await state(bad), await state(good)]).toEqual(['draft', 'published']);
  expect(await failures()).toEqual([
    {
      id: expect.any(String),
      tableId: posts.id,
      tableTitle: '文章',
      recordId: bad,
      label: 'bad',
      dueAt: expect.any(String),
      failedAt: expect.any(String),
      by: expect.any(String),
      reason: 'invalid',
      errors: [{ field: fieldId('summary'), code: 'required' }],
    },
  ]);
  expect((await failures())[0]?.by).not.toBe('');
});

test('a failed publication can be retried once the record is complete', async () => {
  const bad = await add('bad');
  await schedule([bad]);
  await change(bad, { summary: '' });
  await later();
  const [failure] = await failures();
  const retry = `publication-failures/${failure?.id ?? ''}/retry`;
  expect(await calls.refused('POST', retry, {})).toBe('invalid_fields');
  expect(await failures()).toHaveLength(1);
  await change(bad, { summary: 's' });
  await calls.post(retry, {});
  expect([await state(bad), await failures()]).toEqual(['published', []]);
});

test('discarding, rescheduling or publishing removes a failure', async () => {
  const [a, b, c] = [await add('a'), await add('b'), await add('c')];
  await schedule([a, b, c]);
  for (const id of [a, b, c]) await change(id, { summary: '' });
  await later();
  const [failure] = (await failures()).filter(({ recordId }) => recordId === a);
  expect((await calls.send('DELETE', `publication-failures/${failure?.id ?? ''}`)).statusCode).toBeLessThan(300);
  await schedule([b]);
  await change(c, { summary: 's' });
  await calls.post(at('publish'), { target: { ids: [c] } });
  expect(await failures()).toEqual([]);
  expect(await state(a)).toBe('draft');
});

test('a schedule of somebody without publish rights fails as forbidden', async () => {
  const id = await add('春');
  await schedule([id], editor);
  await setRule(program, posts, site, { role: 'editor', action: 'publish', allowed: false });
  await later();
  expect([await state(id), (await failures()).map(({ reason }) => reason)]).toEqual(['draft', ['forbidden']]);
});

test('a time that passes while the table is binned becomes a failure', async () => {
  const id = await add('春');
  await schedule([id]);
  await calls.send('DELETE', `tables/${posts.id}`);
  await later();
  await calls.post(`tables/${posts.id}/restore`, {});
  expect([await state(id), (await failures()).map(({ reason, recordId }) => [reason, recordId])]).toEqual(['draft', [['table_deleted', id]]]);
});

test('only the scheduler and those who may publish see a failure', async () => {
  const id = await add('春');
  await schedule([id]);
  await change(id, { summary: '' });
  await later();
  const [failure] = await failures();
  expect(await failures(viewer)).toEqual([]);
  expect(await calls.refused('POST', `publication-failures/${failure?.id ?? ''}/retry`, {}, undefined, viewer)).toBe('not_found');
  expect(await calls.refused('DELETE', `publication-failures/${failure?.id ?? ''}`, undefined, undefined, viewer)).toBe('not_found');
  expect(await failures()).toHaveLength(1);
});

test('failures of removed tables expire after a year', async () => {
  const bad = await add('bad');
  await schedule([bad]);
  await change(bad, { summary: '' });
  await later();
  const [own] = await program.ctx.postgres.db.select().from(contentPublicationFailures).where(eq(contentPublicationFailures.tableId, posts.id));
  await program.ctx.postgres.db.insert(contentPublicationFailures).values({ ...own!, id: randomUUID(), tableId: 't_gone' });
  const gone = (): Promise<number> => program.ctx.postgres.db.$count(contentPublicationFailures, eq(contentPublicationFailures.tableId, 't_gone'));
  program.pass(364 * 24 * 60 * minute);
  await runSchedule(program.ctx, 'tables.failures');
  expect(await gone()).toBe(1);
  program.pass(2 * 24 * 60 * minute);
  await runSchedule(program.ctx, 'tables.failures');
  expect(await gone()).toBe(0);
  expect(await program.ctx.postgres.db.$count(contentPublicationFailures, eq(contentPublicationFailures.tableId, posts.id))).toBe(1);
});
