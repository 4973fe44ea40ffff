import { jest } from '@jest/globals';
import type { Release } from '../../contract/publishing/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { eq } from 'drizzle-orm';
import { users } from '../../server/areas/account/schema';
import { liveSite, recordThemeFailure, storePageCopy } from '../../server/areas/publishing';
import { publishDueReleases } from '../../server/areas/publishing/schedule';
import { dataOf, makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { mailsOf, withMail } from '../support/mails';
import { until } from '../support/until';
import { callsOf, personOn } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let editor: Person;
let viewer: Person;
beforeAll(async () => {
  program = await makeTestApp({ config: withMail });
  owner = await program.signUpOwner();
});
afterAll(() => program.close());

let site: Site;
let calls: Calls;
let posts: ContentTable;
beforeEach(async () => {
  site = await program.makeSite(owner, { name: '茶馆' });
  editor = await personOn(program, site, 'editor');
  viewer = await personOn(program, site, 'viewer');
  calls = callsOf(owner, site);
  posts = await calls.table({ title: '文章', drafts: true, fields: [{ type: 'text', title: 'Title', key: 'title', required: true }] });
});

const base = () => `/api/site/${site.id}/setting`;
const code = (response: { json: () => unknown }): string => (response.json() as { code: string }).code;
type Preview = { working: string; parts: string[]; tables: { table: string; records: string[] }[] };
const preview = async (by = owner): Promise<Preview> => dataOf(await by.get(`${base()}/releases/preview`));
const setPart = (part: string, content: unknown, revision: number, by = owner) =>
  by.send('PUT', `${base()}/parts/${part}`, content as object, { 'if-match': `"${revision}"` });
const release = async (more: object = {}, by = owner) => by.send('POST', `${base()}/releases`, { working: (await preview()).working, ...more });
const rollBack = (id: string, records: 'undo' | 'keep') => owner.send('POST', `${base()}/releases/${id}/roll-back`, { records });
const releases = async () => dataOf<{ rows: Release[] }>(await owner.get(`${base()}/releases`)).rows;
const add = async (title: string): Promise<string> => (await calls.add(posts.id, [{ title }]))[0] ?? '';
const states = async () => Object.fromEntries((await calls.rows(posts.id)).map(({ values, state }) => [String(values['title']), state]));
const change = (id: string, title: string) => calls.send('PATCH', `tables/${posts.id}/records`, { changes: [{ id, values: { title } }] });
const publish = (ids: string[]) => ({ records: [{ table: posts.id, ids }] });

/** What the audit log has about releases of the site, the oldest first. */
const audited = async (): Promise<string[]> => {
  const { rows } = await program.ctx.postgres.pool.query<{ action: string; result: string }>(
    `SELECT action, result FROM audit_log WHERE site_id = $1 AND action LIKE 'publishing.%' AND action <> 'publishing.theme_changed' ORDER BY id`,
    [site.id],
  );
  return rows.map(({ action, result }) => `${action.replace('publishing.', '')} ${result}`);
};

test('visitors get nothing before the first release and then what was released', async () => {
  await setPart('settings', { title: { 'zh-Hans': '茶' } }, 0);
  expect(await liveSite(program.ctx, site.id)).toBeNull();
  await release();
  await setPart('settings', { title: { 'zh-Hans': '咖啡' } }, 1);
  expect((await liveSite(program.ctx, site.id))?.parts.settings).toMatchObject({ title: { 'zh-Hans': '茶' } });
});

test('a preview names changed parts and unpublished records', async () => {
  await release();
  await setPart('menus', { main: [] }, 0);
  const id = await add('春');
  expect(await preview()).toMatchObject({ parts: ['menus'], tables: [{ table: posts.id, records: [id] }] });
});

test('a release publishes its records as one batch', async () => {
  const [spring, summer] = [await add('春'), await add('夏')];
  await add('秋');
  expect(dataOf<Release>(await release(publish([spring, summer]), editor))).toMatchObject({ number: 1, state: 'published', live: true, records: 2 });
  expect(await states()).toEqual({ 春: 'published', 夏: 'published', 秋: 'draft' });
});

test('an incomplete record refuses the whole release', async () => {
  const [spring, empty] = [await add('春'), (await calls.add(posts.id, [{}]))[0] ?? ''];
  expect((await release(publish([spring, empty]))).statusCode).toBe(422);
  expect([await releases(), await states()]).toEqual([[], { 春: 'draft', null: 'draft' }]);
});

test('a release of an outdated working copy is refused with the current one', async () => {
  const { working } = await preview();
  await setPart('menus', { main: [] }, 0);
  const refused = await owner.send('POST', `${base()}/releases`, { working });
  expect([code(refused), refused.json<{ current: unknown }>().current]).toEqual(['stale_revision', { working: (await preview()).working }]);
});

test('a release of one part leaves the others as they are live', async () => {
  await setPart('settings', { company: 'Leaf' }, 0);
  await release();
  await setPart('settings', { company: 'Root' }, 1);
  await setPart('redirects', [{ from: '/old', to: '/new' }], 0);
  const { working, parts } = dataOf<Preview>(await owner.get(`${base()}/releases/preview?parts=redirects`));
  await setPart('settings', { company: 'Bark' }, 2);
  const stored = dataOf<Release>(await owner.send('POST', `${base()}/releases`, { working, parts: ['redirects'] }));
  expect([parts, stored.changedParts]).toEqual([['redirects'], ['redirects']]);
  const live = await liveSite(program.ctx, site.id);
  expect(live?.parts).toMatchObject({ settings: { company: 'Leaf' }, redirects: [{ from: '/old', to: '/new' }] });
  expect(await preview()).toMatchObject({ parts: ['settings'] });
});

test('a release of an earlier version counts as one without search settings', async () => {
  await release();
  await program.ctx.postgres.pool.query(`UPDATE releases SET parts = parts - 'seo' WHERE site_id = $1`, [site.id]);
  expect(await preview()).toMatchObject({ parts: [] });
  expect((await liveSite(program.ctx, site.id))?.parts.seo).toMatchObject({ separator: '·' });
});

test('the first release of a site publishes all parts', async () => {
  const { working } = dataOf<Preview>(await owner.get(`${base()}/releases/preview?parts=menus`));
  expect(code(await owner.send('POST', `${base()}/releases`, { working, parts: ['menus'] }))).toBe('conflict');
});

test('two releases at once get two numbers', async () => {
  await Promise.all([release(), release()]);
  expect((await releases()).map(({ number, live }) => [number, live])).toEqual([
    [2, true],
    [1, false],
  ]);
});

test('rolling back returns to the parts and records of an earlier release', async () => {
  const id = await add('春');
  await setPart('menus', { main: [] }, 0);
  const first = dataOf<Release>(await release());
  await setPart('menus', {}, 1);
  await release(publish([id]));
  const result = dataOf<{ release: Release; skipped: number }>(await rollBack(first.id, 'undo'));
  expect(result).toMatchObject({ release: { number: 3, live: true, rollsBackTo: 1 }, skipped: 0 });
  expect([(await liveSite(program.ctx, site.id))?.parts.menus, await states()]).toEqual([{ main: [] }, { 春: 'draft' }]);
});

test('rolling back leaves records that were published again since', async () => {
  const id = await add('春');
  const first = dataOf<Release>(await release());
  await release(publish([id]));
  await change(id, '夏');
  await calls.post(`tables/${posts.id}/records/publish`, { target: { ids: [id] } });
  expect(dataOf<{ skipped: number }>(await rollBack(first.id, 'undo'))).toMatchObject({ skipped: 1 });
  expect(await states()).toEqual({ 夏: 'published' });
});

test('rolling back skips a batch that is undone while it waits', async () => {
  const first = dataOf<Release>(await release());
  const second = dataOf<Release>(await release(publish([await add('春')])));
  const { pool } = program.ctx.postgres;
  const batch = 'SELECT batch_id FROM releases WHERE id = $1';
  const other = await pool.connect();
  await other.query('BEGIN');
  await other.query(`SELECT 1 FROM content_batches WHERE id = (${batch}) FOR UPDATE`, [second.id]);
  const result = rollBack(first.id, 'undo');
  await until(async () => {
    const { rows } = await pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%content_batches%' AND pid <> pg_backend_pid()`,
    );
    return rows.length > 0;
  });
  await other.query(`UPDATE content_batches SET undone_by = gen_random_uuid() WHERE id = (${batch})`, [second.id]);
  await other.query('COMMIT');
  other.release();
  expect(dataOf(await result)).toMatchObject({ release: { number: 3, rollsBackTo: 1 }, skipped: 0 });
});

test('a site has a bounded number of failures, the latest ones', async () => {
  for (let line = 1; line <= 205; line += 1) {
    program.pass(1);
    await recordThemeFailure(program.ctx, site.id, { reason: 'template', message: 'unknown', file: 'templates/home.liquid', line, column: 1 }, '/');
  }
  const { rows } = await program.ctx.postgres.pool.query<{ rows: number; first: number; last: number }>(
    'SELECT count(*)::int AS rows, min(line) AS first, max(line) AS last FROM theme_failures WHERE site_id = $1',
    [site.id],
  );
  expect(rows).toEqual([{ rows: 200, first: 6, last: 205 }]);
});

describe('copies of pages', () => {
  const megabytes = 1024 ** 2;
  const store = (releaseId: string, name: string, etag = name) => {
    program.pass(1);
    return storePageCopy(program.ctx, { siteId: site.id, release: releaseId, name, headers: {}, html: Buffer.alloc(4 * megabytes), etag });
  };
  const stored = async () => {
    const { rows } = await program.ctx.postgres.pool.query<{ name: string }>('SELECT name FROM page_copies WHERE site_id = $1 ORDER BY name', [site.id]);
    return rows.map(({ name }) => name);
  };

  test('have a bounded size, and the oldest go first', async () => {
    const { id } = dataOf<Release>(await release());
    for (const name of ['a', 'b', 'c', 'd']) await store(id, name);
    await store(id, 'a', 'changed');
    await store(id, 'e');
    expect(await stored()).toEqual(['a', 'c', 'd', 'e']);
  });

  test('are of the live release only', async () => {
    const first = dataOf<Release>(await release());
    const second = dataOf<Release>(await release());
    await store(first.id, 'earlier');
    await store(second.id, 'live');
    expect(await stored()).toEqual(['live']);
  });
});

test('the live release cannot be rolled back to', async () => {
  const only = dataOf<Release>(await release());
  expect(code(await rollBack(only.id, 'keep'))).toBe('bad_transition');
});

test('a scheduled release changes nothing and can be cancelled once', async () => {
  const id = await add('春');
  const planned = dataOf<Release>(await release({ ...publish([id]), publishAt: '2999-01-01T00:00:00Z' }));
  expect([planned.state, await liveSite(program.ctx, site.id), await states()]).toEqual(['scheduled', null, { 春: 'draft' }]);
  const cancel = () => owner.send('POST', `${base()}/releases/${planned.id}/cancel`);
  expect([dataOf<Release>(await cancel()).state, code(await cancel())]).toEqual(['cancelled', 'bad_transition']);
  expect(await audited()).toEqual(['scheduled done', 'cancelled done']);
});

const schedule = async (more: object = {}, by = owner): Promise<Release> =>
  dataOf(await release({ ...more, publishAt: new Date(program.ctx.now() + 60_000).toISOString() }, by));
const due = () => {
  program.pass(61_000);
  return publishDueReleases(program.ctx);
};

test('a scheduled release publishes what it contained when it was scheduled', async () => {
  const id = await add('春');
  await setPart('menus', { main: [] }, 0);
  const planned = await schedule(publish([id]), editor);
  await setPart('menus', {}, 1);
  await publishDueReleases(program.ctx);
  expect(await liveSite(program.ctx, site.id)).toBeNull();
  await due();
  expect([(await liveSite(program.ctx, site.id))?.parts.menus, await states()]).toEqual([{ main: [] }, { 春: 'published' }]);
  expect(await releases()).toMatchObject([{ id: planned.id, state: 'published', live: true, records: 1 }]);
});

test('a release that is due is published by one of two processes', async () => {
  await schedule();
  program.pass(61_000);
  await Promise.all([publishDueReleases(program.ctx), publishDueReleases(program.ctx)]);
  expect([await audited(), (await releases()).map(({ state }) => state)]).toEqual([['scheduled done', 'released done'], ['published']]);
});

test('an incomplete record fails the whole scheduled release and tells its author', async () => {
  await program.ctx.postgres.db
    .update(users)
    .set({ email: 'editor@example.com', locale: 'en', emailVerifiedAt: new Date() })
    .where(eq(users.id, editor.userId));
  const [spring, summer] = [await add('春'), await add('夏')];
  await schedule(publish([spring, summer]), editor);
  await change(summer, '');
  await due();
  expect([await releases(), await liveSite(program.ctx, site.id)]).toMatchObject([
    [{ state: 'failed', failure: { code: 'invalid_fields', records: 1 } }],
    null,
  ]);
  expect(await states()).toEqual({ 春: 'draft', null: 'draft' });
  const notices = dataOf<{ rows: { kind: string; title: string; path: string }[] }>(await editor.get('/api/acc/notices')).rows;
  expect(notices).toMatchObject([{ kind: 'release', title: '茶馆: release 1 was not published', path: `/site/${site.id}/setting/base/releases` }]);
  const letters = (await mailsOf(program.ctx)).filter(({ kind }) => kind === 'publishing.release_failed');
  expect(letters).toMatchObject([{ to: 'editor@example.com', paragraphs: ['One record is incomplete.', expect.any(String)] }]);
});

test('an author who may no longer publish fails the scheduled release', async () => {
  await schedule({}, editor);
  await program.ctx.postgres.pool.query(`UPDATE site_grants SET role = 'viewer' WHERE user_id = $1`, [editor.userId]);
  await due();
  expect([await releases(), await liveSite(program.ctx, site.id)]).toMatchObject([[{ state: 'failed', failure: { code: 'forbidden' } }], null]);
  expect(await audited()).toEqual(['scheduled done', 'released failed']);
});

test('rolling back undoes releases by when they were published', async () => {
  const id = await add('春');
  await schedule(publish([id]));
  const second = dataOf<Release>(await release());
  await due();
  const result = dataOf<{ release: Release }>(await rollBack(second.id, 'undo'));
  expect([result.release, await states()]).toMatchObject([{ number: 3, rollsBackTo: 2 }, { 春: 'draft' }]);
});

test('editors publish, only administrators change parts, and viewers do neither', async () => {
  expect(
    await Promise.all([
      release({}, editor).then((one) => one.statusCode),
      setPart('menus', {}, 0, editor).then((one) => one.statusCode),
      release({}, viewer).then((one) => one.statusCode),
    ]),
  ).toEqual([200, 403, 403]);
});

test('a release of another site does not exist', async () => {
  const own = dataOf<Release>(await release());
  const other = await program.makeSite(owner, { name: '别处' });
  expect((await owner.send('POST', `/api/site/${other.id}/setting/releases/${own.id}/roll-back`, { records: 'keep' })).statusCode).toBe(404);
});

test.each([
  ['routes', [{ kind: 'template', path: '/robots.txt', template: 'home' }]],
  ['menus', { main: [{ id: 'a', label: {}, target: { url: 'javascript:alert(1)' }, items: [] }] }],
  ['languages', { languages: [] }],
  ['settings', { unknown: 1 }],
])('an invalid part %s is refused', async (part, content) => {
  expect(code(await setPart(part, content, 0))).toBe('invalid_fields');
});

test('an outdated change of a part is refused', async () => {
  await setPart('menus', { main: [] }, 0);
  expect([code(await setPart('menus', {}, 0)), dataOf<{ menus: { content: unknown } }>(await owner.get(`${base()}/parts`)).menus.content]).toEqual([
    'stale_revision',
    { main: [] },
  ]);
});
