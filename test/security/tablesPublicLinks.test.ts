import { jest } from '@jest/globals';
import { personOn, setRule } from '../integration/tablesLifeSupport';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { guestOf, createViewLink } from '../support/publicLinks';
import { withoutGenerated } from '../support/generatedText';

/** A link to a view opens the view and nothing else. */

jest.setTimeout(60_000);
let program: TestApp;
let staff: Tabled;
let deals: MadeTable;
let editor: Person;
const columns = (...keys: string[]) => keys.map((key) => ({ field: key }));
beforeAll(async () => {
  program = await makeTestApp();
  staff = await makeTabled(
    program,
    [
      { key: 'name', type: 'text' },
      { key: 'city', type: 'text' },
      { key: 'note', type: 'text' },
      { key: 'pay', type: 'number', sensitive: true },
      { key: 'rank', type: 'select', sensitive: true, options: { choices: [{ id: 'r1', title: '绝密' }] } },
      { key: 'shelf', type: 'select', hidden: true, options: { choices: [{ id: 's1', title: '暗格' }] } },
      { key: 'inner', type: 'text', hidden: true, searchable: true },
      { key: 'code', type: 'password' },
      { key: 'double', type: 'formula', options: { formula: '{pay} * 2' } },
      { key: 'go', type: 'button', options: { label: 'Go', url: 'https://example.com/?pay={pay}' } },
    ],
    { title: '员工' },
  );
  deals = await addTestTable(
    staff.owner,
    staff.site.id,
    [
      { key: 'title', type: 'text' },
      { key: 'seller', type: 'relation', options: { to: staff.table.id }, inverseTitle: '交易' },
      { key: 'seller_pay', type: 'lookup', options: { relation: 'seller', target: 'pay' } },
      { key: 'seller_city', type: 'lookup', options: { relation: 'seller', target: 'city' } },
    ],
    { title: '交易' },
  );
  const response = await staff.owner.send('POST', `${staff.path}/records`, {
    records: [
      { name: '王芳', city: '杭州', note: 'alpha', pay: '9000', rank: 'r1', shelf: 's1', inner: 'mole', code: 'tea-garden-11' },
      { name: '李雷', city: '苏州', note: 'beta', pay: '5000', inner: 'none', code: 'tea-garden-12' },
      { name: '隐身', city: '上海', note: 'secret', pay: '1', inner: 'mole' },
    ],
  });
  const [first] = response.json<{ data: { records: { id: string }[] } }>().data.records;
  await staff.owner.send('POST', `${deals.path}/records`, { records: [{ title: '一号', seller: first?.id }] });
  editor = await personOn(program, staff.site, 'editor');
});
afterAll(() => program.close());

const createLink = (query: Parameters<typeof createViewLink>[3] = {}, more: Parameters<typeof createViewLink>[4] = {}) =>
  createViewLink(staff.owner, staff.site.id, staff, query, more);

test('a link never shows hidden or sensitive fields, passwords or authors', async () => {
  const { secret } = await createLink(
    {
      columns: columns('name', 'pay', 'inner', 'code', 'double', 'go', '$createdBy', '$updatedBy', '$id', '$publishAt', 'city'),
      group: ['pay'],
      sort: [{ field: 'pay', descending: true }],
      filter: { field: 'note', op: 'ne', value: 'secret' },
    },
    { download: true },
  );
  const guest = guestOf(program, secret);
  expect((await guest.view()).columns.map(({ title }) => title)).toEqual(['name', 'city']);
  expect((await guest.view()).groups).toEqual([]);
  // The manual order, not the order of the pay.
  expect(await guest.texts()).toEqual([
    ['王芳', '杭州'],
    ['李雷', '苏州'],
  ]);
  const all = `${(await guest.get('/api/view')).body}${(await guest.get('/api/view/rows')).body}${(await guest.get('/api/view/file')).body}`;
  expect(all).not.toMatch(/[\da-f]{8}-[\da-f]{4}-7/);
  expect(withoutGenerated(all)).not.toMatch(/9000|5000|18000|mole|tea-garden|Owner|secret/);
  // The field does not become the columns of a board either.
  for (const stack of ['rank', 'shelf']) {
    const board = guestOf(program, (await createLink({ stack, columns: columns('name') }, { kind: 'kanban' })).secret);
    expect(await board.view()).toMatchObject({ layout: 'cards', groups: [] });
    expect((await board.get('/api/view/rows')).body).not.toMatch(/绝密|暗格/);
  }
});

test('search, sort and filter reveal nothing outside the visible columns', async () => {
  const { secret } = await createLink({ columns: columns('name'), filter: { field: 'note', op: 'ne', value: 'secret' } });
  const guest = guestOf(program, secret);
  const all = await guest.texts();
  for (const searchText of ['杭州', 'alpha', 'mole', '隐身', 'secret']) expect([searchText, await guest.texts(`?q=${searchText}`)]).toEqual([searchText, []]);
  expect(await guest.texts('?q=王芳')).toEqual([['王芳']]);
  for (const name of ['city', staff.f['city'], 'pay', staff.f['pay'], staff.f['inner'], 'code', '$createdBy', '$updatedAt', '$id']) {
    const sorted = await guest.get(`/api/view/rows?sort=-${name}`);
    expect([name, sorted.statusCode]).toEqual([name, 422]);
    expect([name, (await guest.get(`/api/view/file?sort=${name}`)).statusCode]).toEqual([name, 403]);
  }
  // Unsupported parameters change nothing.
  const filter = encodeURIComponent(JSON.stringify({ field: 'pay', op: 'gt', value: 6000 }));
  for (const more of [`filter=${filter}`, 'group=city', 'fields=city,pay', 'expand=deals', 'trash=true', 'locale=en', 'ids=1', 'published=false'])
    expect([more, await guest.texts(`?${more}`)]).toEqual([more, all]);
});

test('linked records show names and public lookups, nothing sensitive', async () => {
  const { secret } = await createViewLink(staff.owner, staff.site.id, deals, { columns: columns('title', 'seller', 'seller_pay', 'seller_city') });
  const guest = guestOf(program, secret);
  const [row] = await guest.texts();
  expect(row?.filter((text) => text !== '')).toEqual(['一号', '王芳', '杭州']);
  expect(withoutGenerated((await guest.get('/api/view/rows')).body)).not.toContain('9000');
});

test('a link opens no other call, and other secrets no view', async () => {
  const { secret } = await createLink();
  const guest = guestOf(program, secret);
  for (const url of [
    `${staff.path}/records`,
    staff.path,
    `${staff.path}/views`,
    `/api/site/${staff.site.id}/table/shares`,
    `${staff.path}/export?format=csv`,
    '/api/share',
  ])
    expect([url, (await guest.get(url)).statusCode >= 400]).toEqual([url, true]);
  const report = await staff.owner.send('POST', `/api/site/${staff.site.id}/als/shares`, { name: 'r', screens: ['overview'] });
  const other = guestOf(program, report.json<{ data: { url: string } }>().data.url.split('/').at(-1) ?? '');
  for (const url of ['/api/view', '/api/view/rows', '/api/view/file']) expect((await other.get(url)).statusCode).toBe(404);
  for (const bad of ['', 'x', 'A'.repeat(43), `${secret}.1.${'A'.repeat(43)}x`, `' or 1=1`])
    expect((await guestOf(program, bad).get('/api/view')).statusCode).toBe(404);
});

test('passwords protect links, wrong ones are throttled, new ones end passes', async () => {
  const { secret, publicLink: createdLink } = await createLink({ columns: columns('name') }, { password: 'tea-2026', expiresAt: '2099-01-01T00:00:00.000Z' });
  const guest = guestOf(program, secret);
  expect(await guest.view()).toMatchObject({ needsPassword: true, title: '', tableTitle: '', columns: [], expiresAt: null });
  expect([(await guest.get('/api/view/rows')).statusCode, (await guest.get('/api/view/file')).statusCode]).toEqual([401, 401]);
  const { pass } = (await guest.unlock('tea-2026')).json<{ data: { pass: string } }>().data;
  const inside = guestOf(program, `${secret}.${pass}`);
  expect((await inside.texts()).length).toBe(3);
  // The pass of one link does not open another.
  const second = await createLink({}, { password: 'tea-2026' });
  expect((await guestOf(program, `${second.secret}.${pass}`).get('/api/view/rows')).statusCode).toBe(401);
  await staff.owner.send(
    'PATCH',
    `/api/site/${staff.site.id}/table/shares/${createdLink.id}`,
    { password: 'other-2026' },
    { 'if-match': `"${createdLink.revision}"` },
  );
  expect((await inside.get('/api/view/rows')).statusCode).toBe(401);
  const codes: number[] = [];
  for (let n = 0; n < 12; n++) codes.push((await guest.unlock('wrong')).statusCode);
  expect([codes[0], codes.at(-1)]).toEqual([401, 429]);
});

test('only designers of the site manage its links', async () => {
  const { view, publicLink: createdLink } = await createLink({ columns: columns('name') });
  const list = `/api/site/${staff.site.id}/table/shares`;
  const at = `${list}/${createdLink.id}`;
  const asRead = { 'if-match': `"${createdLink.revision}"` };
  expect([
    (await editor.get(list)).statusCode,
    (await editor.send('POST', `${staff.path}/views/${view.id}/shares`, { name: 'x' })).statusCode,
    (await editor.send('PATCH', at, { name: 'x' }, asRead)).statusCode,
    (await editor.send('DELETE', at)).statusCode,
  ]).toEqual([403, 403, 403, 403]);
  const site = await program.makeSite(staff.owner, { name: 'Other', slug: 'other-view-links' });
  const there = await addTestTable(staff.owner, site.id, [{ key: 'name', type: 'text' }]);
  expect((await staff.owner.send('POST', `${there.path}/views/${view.id}/shares`, { name: 'x' })).statusCode).toBe(404);
  expect((await staff.owner.send('PATCH', `/api/site/${site.id}/table/shares/${createdLink.id}`, { name: 'x' }, asRead)).statusCode).toBe(404);
  expect((await staff.owner.send('DELETE', `/api/site/${site.id}/table/shares/${createdLink.id}`)).statusCode).toBe(404);
  const own = await editor.send('POST', `${staff.path}/views`, { title: '自己的', kind: 'grid', scope: 'personal', query: {} });
  const { id } = own.json<{ data: { id: string } }>().data;
  expect((await staff.owner.send('POST', `${staff.path}/views/${id}/shares`, { name: 'x' })).statusCode).toBe(404);
  // A view of records takes no form settings.
  expect((await staff.owner.send('POST', `${staff.path}/views/${view.id}/shares`, { name: 'x', form: {} })).statusCode).toBe(422);
});

test('an editor cannot publish unreadable fields through a public view', async () => {
  await setRule(program, staff.table, staff.site, { role: 'editor', action: 'read', allowed: true, fields: [staff.f['name'] ?? ''] });
  const { view, secret, publicLink: createdLink } = await createLink({ columns: columns('name') });
  const asRead = { 'if-match': `"${view.revision}"` };
  const wider = { query: { ...view.query, columns: [{ field: staff.f['note'] }] } };
  expect((await editor.send('PATCH', `${staff.path}/views/${view.id}`, wider, asRead)).statusCode).toBe(403);
  expect((await editor.send('DELETE', `${staff.path}/views/${view.id}`)).statusCode).toBe(403);
  expect((await editor.send('PATCH', `${staff.path}/views/${view.id}`, { title: '改名' }, asRead)).statusCode).toBe(200);
  expect((await guestOf(program, secret).get('/api/view/rows')).body).not.toContain('alpha');
  // Once the link has ended, the editor may change the view again.
  await staff.owner.send('DELETE', `/api/site/${staff.site.id}/table/shares/${createdLink.id}`);
  expect((await editor.send('PATCH', `${staff.path}/views/${view.id}`, wider, { 'if-match': `"${view.revision + 1}"` })).statusCode).toBe(200);
});

test('links of an archived site show nothing', async () => {
  const site = await program.makeSite(staff.owner, { name: 'Away', slug: 'away-view-links' });
  const table = await addTestTable(staff.owner, site.id, [{ key: 'name', type: 'text' }]);
  const { secret } = await createViewLink(staff.owner, site.id, table);
  expect((await guestOf(program, secret).get('/api/view')).statusCode).toBe(200);
  await program.ctx.postgres.pool.query(`UPDATE sites SET state = 'archived', archived_at = now() WHERE id = $1`, [site.id]);
  expect((await guestOf(program, secret).get('/api/view')).statusCode).toBe(404);
});
