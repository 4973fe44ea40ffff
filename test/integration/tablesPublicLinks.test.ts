import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import type { PublicLink } from '../../contract/tables/publicLinks';
import { users } from '../../server/areas/account/schema';
import { auditLog } from '../../server/areas/audit/schema';
import { siteGrants } from '../../server/areas/sites/schema';
import { makeTestApp } from '../support/app';
import type { Browser, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { guestOf, createViewLink } from '../support/publicLinks';
import { personOn } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let teas: Tabled;
let makers: MadeTable;
beforeAll(async () => {
  program = await makeTestApp();
  teas = await makeTabled(
    program,
    [
      { key: 'name', type: 'text' },
      {
        key: 'kind',
        type: 'select',
        options: {
          choices: [
            { id: 'g', title: '绿茶', color: 'green' },
            { id: 'b', title: '红茶', color: 'red' },
          ],
        },
      },
      { key: 'price', type: 'number' },
      { key: 'picked', type: 'date' },
      { key: 'stock', type: 'integer' },
      { key: 'sold', type: 'switch' },
    ],
    { title: '茶' },
  );
  const write = await teas.owner.send('POST', `${teas.path}/records`, {
    records: [
      { name: '龙井', kind: 'g', price: '120.5', picked: '2026-04-02', stock: 3, sold: true },
      { name: '祁门红茶', kind: 'b', price: '88', picked: '2026-05-20', stock: 0 },
      { name: '碧螺春', kind: 'g', price: '99', picked: '2026-04-30', stock: 7 },
    ],
  });
  if (write.statusCode !== 200) throw new Error(write.body);
  makers = await addTestTable(
    teas.owner,
    teas.site.id,
    [
      { key: 'title', type: 'text' },
      { key: 'best', type: 'relation', options: { to: teas.table.id } },
    ],
    { title: '茶厂', drafts: true },
  );
});
afterAll(() => program.close());
const createLink = (query: Parameters<typeof createViewLink>[3], more: Parameters<typeof createViewLink>[4] = {}) =>
  createViewLink(teas.owner, teas.site.id, teas, query, more);
const columns = (...keys: string[]) => keys.map((key) => ({ field: key }));
const publicLinks = async () => (await teas.owner.get(`/api/site/${teas.site.id}/table/shares`)).json<{ data: PublicLink[] }>().data;

describe('a link whose creator lost the right to share', () => {
  const takeOver = (by: Browser, { id }: PublicLink) => by.send('POST', `/api/site/${teas.site.id}/table/shares/${id}/take-over`);
  const stopReason = async ({ id }: PublicLink) => (await publicLinks()).find((one) => one.id === id)?.stopped;

  test('stops, states the reason, and resumes when taken over', async () => {
    const maker = await personOn(program, teas.site, 'admin');
    const { publicLink: createdLink, secret } = await createViewLink(maker, teas.site.id, teas, { columns: columns('name') }, { password: 'tea-for-two' });
    const { db } = program.ctx.postgres;
    const guest = guestOf(program, secret);
    const statuses = async () => [
      (await guest.get('/api/view')).statusCode,
      (await guest.get('/api/view/rows')).statusCode,
      (await guest.unlock('tea-for-two')).statusCode,
    ];
    expect([await statuses(), await stopReason(createdLink)]).toEqual([[200, 401, 200], null]);
    expect((await takeOver(teas.owner, createdLink)).statusCode).toBe(409);

    await db.update(siteGrants).set({ role: 'editor' }).where(eq(siteGrants.userId, maker.userId));
    expect([await statuses(), await stopReason(createdLink)]).toEqual([[404, 404, 404], 'role']);
    expect((await takeOver(maker, createdLink)).statusCode).toBe(403);
    await db.delete(siteGrants).where(eq(siteGrants.userId, maker.userId));
    expect([await statuses(), await stopReason(createdLink)]).toEqual([[404, 404, 404], 'access']);
    expect((await takeOver(maker, createdLink)).statusCode).toBe(404);
    await db.update(users).set({ disabled: true }).where(eq(users.id, maker.userId));
    expect([await statuses(), await stopReason(createdLink)]).toEqual([[404, 404, 404], 'account']);

    const takenOverLink = (await takeOver(teas.owner, createdLink)).json<{ data: PublicLink }>().data;
    expect(takenOverLink).toMatchObject({ id: createdLink.id, url: createdLink.url, stopped: null, hasPassword: true });
    expect(await statuses()).toEqual([200, 401, 200]);
    const log = await db.select().from(auditLog);
    expect(log.filter(({ action }) => action === 'table.share_taken_over')).toHaveLength(1);
  });
});

test('a link shows its view’s current columns, filter, order and groups', async () => {
  const {
    view,
    secret,
    publicLink: createdLink,
  } = await createLink({
    columns: columns('name', 'kind', 'sold'),
    filter: { field: 'stock', op: 'gt', value: 0 },
    sort: [{ field: 'name', descending: true }],
    group: ['kind'],
  });
  const guest = guestOf(program, secret);
  expect(await guest.view()).toMatchObject({
    needsPassword: false,
    title: '给客户看',
    tableTitle: '茶',
    layout: 'grid',
    columns: [{ title: 'name' }, { title: 'kind' }, { title: 'sold' }],
    groups: [{ title: 'kind' }],
    download: false,
  });
  const { rows, total } = await guest.rows();
  expect(total).toBe(2);
  expect(rows.map(({ cells, group }) => [cells.map(({ text }) => text), group])).toEqual([
    [['龙井', '绿茶', '是'], ['绿茶']],
    [['碧螺春', '绿茶', ''], ['绿茶']],
  ]);
  expect(rows[0]?.cells[1]).toEqual({ text: '绿茶', chips: [{ title: '绿茶', color: 'green' }] });
  // No id of a record, choice or person.
  expect(JSON.stringify(rows)).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);

  const changed = await teas.owner.send(
    'PATCH',
    `${teas.path}/views/${view.id}`,
    { query: { ...view.query, columns: [{ field: teas.f['price'] }], filter: null, group: [], sort: [{ field: teas.f['price'], descending: false }] } },
    { 'if-match': `"${view.revision}"` },
  );
  expect(changed.statusCode).toBe(200);
  // The primary field is always included.
  expect(await guest.texts()).toEqual([
    ['祁门红茶', '88'],
    ['碧螺春', '99'],
    ['龙井', '120.5'],
  ]);
  expect((await publicLinks()).find(({ id }) => id === createdLink.id)).toMatchObject({
    opened: 1,
    url: createdLink.url,
    viewTitle: '给客户看',
    tableTitle: '茶',
  });
});

test('a visitor searches, sorts by visible columns and turns pages', async () => {
  const { secret } = await createLink({ columns: columns('name', 'price') });
  const guest = guestOf(program, secret);
  expect(await guest.texts('?q=龙')).toEqual([['龙井', '120.5']]);
  expect((await guest.texts(`?sort=-${teas.f['price']}`)).map(([name]) => name)).toEqual(['龙井', '碧螺春', '祁门红茶']);
  const first = await guest.rows('?limit=2');
  expect([first.rows.length, first.next, first.total]).toEqual([2, 2, 3]);
  expect(await guest.rows('?limit=2&offset=2')).toMatchObject({ rows: [{}], next: null });
  expect((await guest.get('/api/view/rows?limit=500')).statusCode).toBe(422);
});

test('boards group by choice, calendars by day, otherwise cards are shown', async () => {
  const board = guestOf(program, (await createLink({ stack: 'kind' }, { kind: 'kanban' })).secret);
  expect(await board.view()).toMatchObject({ layout: 'board', groups: [{ title: 'kind' }] });
  expect((await board.rows()).rows.map(({ group }) => group[0])).toEqual(['绿茶', '绿茶', '红茶']);
  const days = guestOf(program, (await createLink({ date: 'picked' }, { kind: 'calendar' })).secret);
  expect((await days.view()).layout).toBe('days');
  expect((await days.rows()).rows.map(({ group }) => group[0])).toEqual(['2026-04-02', '2026-04-30', '2026-05-20']);
  // The view groups by the field even if its cards do not show it.
  const bare = guestOf(program, (await createLink({ date: 'picked', columns: columns('name') }, { kind: 'calendar' })).secret);
  expect(await bare.view()).toMatchObject({ layout: 'days', columns: [{ title: 'name' }], groups: [{ title: 'picked' }] });
  expect((await bare.rows()).rows[0]).toMatchObject({ cells: [{ text: '龙井' }], group: ['2026-04-02'] });
  expect((await guestOf(program, (await createLink({}, { kind: 'kanban' })).secret).view()).layout).toBe('cards');
});

test('a file export holds what the link shows, where allowed', async () => {
  const closed = await createLink({ columns: columns('name') });
  expect((await guestOf(program, closed.secret).get('/api/view/file')).statusCode).toBe(403);
  const { secret } = await createLink({ columns: columns('name', 'price'), sort: [{ field: 'price', descending: false }] }, { download: true });
  const file = await guestOf(program, secret).get('/api/view/file');
  expect([file.statusCode, file.headers['content-type'], file.headers['x-robots-tag']]).toEqual([200, 'text/csv; charset=utf-8', 'noindex']);
  expect(file.body).toBe('\uFEFFname,price\r\n祁门红茶,88\r\n碧螺春,99\r\n龙井,120.5\r\n');
});

test('a link shows published records unless drafts are included', async () => {
  const tea = (await teas.owner.get(`${teas.path}/records?q=龙井`)).json<{ data: { rows: { id: string }[] } }>().data.rows[0]?.id;
  const written = await teas.owner.send('POST', `${makers.path}/records`, { records: [{ title: '狮峰', best: tea }, { title: '未发布' }] });
  const [first] = written.json<{ data: { records: { id: string }[] } }>().data.records;
  expect((await teas.owner.send('POST', `${makers.path}/records/publish`, { target: { ids: [first?.id] } })).statusCode).toBe(200);
  const published = await createViewLink(teas.owner, teas.site.id, makers, { columns: columns('title', 'best', '$state', '$createdBy') });
  expect(await guestOf(program, published.secret).texts()).toEqual([['狮峰', '龙井']]);
  const drafts = await createViewLink(teas.owner, teas.site.id, makers, { columns: columns('title', '$state') }, { drafts: true });
  expect(await guestOf(program, drafts.secret).texts()).toEqual([
    ['狮峰', '已发布'],
    ['未发布', '草稿'],
  ]);
});

test('a link ends when revoked, expired or without its view or table', async () => {
  const status = async (secret: string) => (await guestOf(program, secret).get('/api/view')).statusCode;
  const ended = await createLink({});
  expect(await status(ended.secret)).toBe(200);
  expect((await teas.owner.send('DELETE', `/api/site/${teas.site.id}/table/shares/${ended.publicLink.id}`)).statusCode).toBe(204);
  expect(await status(ended.secret)).toBe(404);

  const soon = await createLink({}, { expiresAt: new Date(program.ctx.now() + 3_600_000).toISOString() });
  const over = jest.spyOn(program.ctx, 'now').mockReturnValue(program.ctx.now() + 3_600_001);
  expect(await status(soon.secret)).toBe(410);
  over.mockRestore();
  expect(
    (
      await teas.owner.send(
        'PATCH',
        `/api/site/${teas.site.id}/table/shares/${soon.publicLink.id}`,
        { expiresAt: '2020-01-01T00:00:00Z' },
        { 'if-match': '"1"' },
      )
    ).statusCode,
  ).toBe(422);

  const removed = await createLink({});
  expect((await teas.owner.send('DELETE', `${teas.path}/views/${removed.view.id}`)).statusCode).toBe(204);
  expect(await status(removed.secret)).toBe(404);

  const table = await addTestTable(teas.owner, teas.site.id, [{ key: 'name', type: 'text' }]);
  const binned = await createViewLink(teas.owner, teas.site.id, table);
  expect((await teas.owner.send('DELETE', table.path, {}, { 'if-match': `"${table.table.revision}"` })).statusCode).toBeLessThan(300);
  expect(await status(binned.secret)).toBe(404);
});

test('a link keeps its URL when edited, and the log omits secrets', async () => {
  const { publicLink: createdLink } = await createLink({});
  const at = `/api/site/${teas.site.id}/table/shares/${createdLink.id}`;
  const asRead = { 'if-match': `"${createdLink.revision}"` };
  const changed = await teas.owner.send('PATCH', at, { name: '给老板看', download: true, password: 'tea-2026' }, asRead);
  expect(changed.json<{ data: PublicLink }>().data).toMatchObject({ name: '给老板看', download: true, hasPassword: true, url: createdLink.url });
  expect((await teas.owner.send('PATCH', at, { name: 'x' }, asRead)).json()).toMatchObject({ code: 'stale_revision', current: { name: '给老板看' } });
  await teas.owner.send('DELETE', at);
  const log = await program.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id);
  expect(
    log
      .filter(({ action }) => /^table\.(un)?share/.test(action))
      .slice(-3)
      .map(({ action }) => action),
  ).toEqual(['table.shared', 'table.share_changed', 'table.unshared']);
  expect(JSON.stringify(log.map(({ before, after, targetId, targetName }) => [before, after, targetId, targetName]))).not.toContain(
    createdLink.url.split('/').at(-1),
  );
});

test('a removed field leaves the link, and its filter matches nothing', async () => {
  const table = await addTestTable(teas.owner, teas.site.id, [
    { key: 'name', type: 'text' },
    { key: 'note', type: 'text' },
    { key: 'open', type: 'switch' },
  ]);
  await teas.owner.send('POST', `${table.path}/records`, {
    records: [
      { name: '一', note: 'a', open: true },
      { name: '二', note: 'b' },
    ],
  });
  const plain = guestOf(program, (await createViewLink(teas.owner, teas.site.id, table, { columns: columns('name', 'note') })).secret);
  const filtered = guestOf(program, (await createViewLink(teas.owner, teas.site.id, table, { filter: { field: 'open', op: 'eq', value: true } })).secret);
  expect((await filtered.rows()).total).toBe(1);
  for (const key of ['note', 'open']) expect((await teas.owner.send('DELETE', `${table.path}/fields/${table.f[key]}`)).statusCode).toBeLessThan(300);
  expect(await plain.texts()).toEqual([['一'], ['二']]);
  expect((await filtered.rows()).total).toBe(0);
});
