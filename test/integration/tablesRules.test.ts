import type { RulesPreview, TableRule, TableRules } from '../../contract/tables/access';
import { auditLog } from '../../server/areas/audit/schema';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';
import { until } from '../support/until';
import { personOn } from './tablesLifeSupport';
import { page, refusal } from './tablesReadSupport';

let program: TestApp;
let testTable: Tabled;
let owner: Person;
let viewer: Person;
beforeAll(async () => {
  program = await makeTestApp();
  testTable = await makeTabled(program, [
    { key: 'title', type: 'text' },
    { key: 'kind', type: 'text' },
    { key: 'cost', type: 'number' },
    { key: 'code', type: 'text', sensitive: true },
  ]);
  ({ owner } = testTable);
  viewer = await personOn(program, testTable.site, 'viewer');
  const records = ['a', 'b', 'a'].map((kind, i) => ({ title: `t${i}`, kind, cost: String(i), code: `secret ${i}` }));
  const added = await owner.send('POST', `${testTable.path}/records`, { records });
  if (added.statusCode !== 200) throw new Error(added.body);
});
afterAll(() => program.close());

const rules = async (by: Browser = owner): Promise<TableRules> => (await by.get(`${testTable.path}/rules`)).json<{ data: TableRules }>().data;
const put = async (ruleInputs: object[], by: Browser = owner, revision?: number) =>
  by.send('PUT', `${testTable.path}/rules`, { rules: ruleInputs }, { 'if-match': `"${revision ?? (await rules()).revision}"` });
const at = (all: TableRules, role: string, action: string): TableRule | undefined => all.rules.find((one) => one.role === role && one.action === action);
const preview = async (role: string) => (await owner.get(`${testTable.path}/rules/preview?role=${role}`)).json<{ data: RulesPreview }>().data;
const errorCodes = async (ruleInputs: object[]): Promise<Record<string, string>> => {
  const answer = await put(ruleInputs);
  expect(answer.statusCode).toBe(422);
  const { fields } = answer.json<{ fields: Record<string, { code: string }> }>();
  return Object.fromEntries(Object.entries(fields).map(([name, { code }]) => [name, code]));
};

test('a table without rules shows the defaults of every role', async () => {
  const all = await rules();
  expect(all.rules).toHaveLength(21);
  expect(all.rules.every((rule) => !rule.explicit)).toBe(true);
  expect(at(all, 'editor', 'delete')).toMatchObject({ allowed: true });
  expect(at(all, 'viewer', 'read')).toMatchObject({ allowed: true });
  expect(at(all, 'viewer', 'update')).toMatchObject({ allowed: false });
  expect(at(all, 'public', 'read')).toMatchObject({ allowed: false });
  expect(at(all, 'public', 'create')).toBeUndefined();
});

test('a rule applies immediately, survives renames, and falls back to defaults', async () => {
  const changedTableIds = new Set<string>();
  const stop = program.ctx.live.subscribe((event) => void (event.type === 'tables' && changedTableIds.add(event.tableId)));
  const filter = { field: 'kind', op: 'eq', value: 'a' };
  const answer = await put([{ role: 'viewer', action: 'read', allowed: true, fields: ['title', 'kind'], filter }]);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['etag']).toBe(`"${answer.json<{ data: TableRules }>().data.revision}"`);
  expect(at(await rules(), 'viewer', 'read')).toEqual({
    role: 'viewer',
    action: 'read',
    allowed: true,
    fields: [testTable.f['title'], testTable.f['kind']],
    filter: { field: testTable.f['kind'], op: 'eq', value: 'a' },
    explicit: true,
  });
  expect((await page(viewer, testTable.path)).rows.map((row) => row.values)).toEqual([
    { title: 't0', kind: 'a' },
    { title: 't2', kind: 'a' },
  ]);
  expect(await refusal(viewer, `${testTable.path}/records`, { sort: 'cost' })).toBe('invalid_fields sort:unknown_field');
  await until(async () => changedTableIds.has(testTable.table.id));
  stop();
  expect((await put([])).statusCode).toBe(200);
  expect((await page(viewer, testTable.path)).rows).toHaveLength(3);
});

test('the audit log records each change of rules with its differences', async () => {
  const lines = async () =>
    (await program.ctx.postgres.db.select().from(auditLog).orderBy(auditLog.id)).filter((line) => line.action === 'table.rules_changed');
  const before = (await lines()).length;
  await put([{ role: 'support', action: 'read', allowed: false }]);
  const { revision } = await rules();
  await put([{ role: 'support', action: 'read', allowed: false }]);
  expect((await rules()).revision).toBe(revision);
  const after = await lines();
  expect(after).toHaveLength(before + 1);
  expect(after.at(-1)).toMatchObject({
    actorId: owner.userId,
    targetId: testTable.table.id,
    siteId: testTable.site.id,
    before: { 'support.read': null },
    after: { 'support.read': { allowed: false, fields: null, filter: null } },
  });
  await put([]);
});

test('an invalid rule refuses the whole set and changes nothing', async () => {
  const before = await rules();
  expect(
    await errorCodes([
      { role: 'public', action: 'create', allowed: true },
      { role: 'viewer', action: 'read', allowed: true, fields: ['nothing'] },
      { role: 'viewer', action: 'read', allowed: true },
      { role: 'analyst', action: 'delete', allowed: true, fields: ['title'] },
      { role: 'analyst', action: 'read', allowed: true, filter: { field: 'gone', op: 'eq', value: 1 } },
      { role: 'support', action: 'read', allowed: true, filter: { field: 'cost', op: 'starts', value: '1' } },
    ]),
  ).toEqual({
    'rules.0.action': 'reserved',
    'rules.1.fields': 'unknown',
    'rules.2.role': 'duplicate',
    'rules.3.fields': 'wrong_type',
    'rules.4.filter': 'unknown',
    'rules.5.filter': 'wrong_type',
  });
  const deep = (depth: number): object => (depth === 0 ? { field: 'kind', op: 'empty' } : { not: deep(depth - 1) });
  expect(await errorCodes([{ role: 'viewer', action: 'read', allowed: true, filter: deep(5) }])).toEqual({ 'rules.0.filter': 'too_long' });
  expect(await rules()).toEqual(before);
});

test('a stale change of rules gets a conflict with the current rules', async () => {
  const { revision } = await rules();
  expect((await put([{ role: 'analyst', action: 'update', allowed: true }], owner, revision)).statusCode).toBe(200);
  const late = await put([], owner, revision);
  expect(late.json<{ code: string }>().code).toBe('stale_revision');
  expect(at(late.json<{ current: TableRules }>().current, 'analyst', 'update')).toMatchObject({ allowed: true, explicit: true });
  await put([]);
});

test('only designers of the site read and write rules', async () => {
  const editor = await personOn(program, testTable.site, 'editor');
  expect((await editor.get(`${testTable.path}/rules`)).statusCode).toBe(403);
  expect((await put([], editor)).statusCode).toBe(403);
  expect((await editor.get(`${testTable.path}/rules/preview?role=public`)).statusCode).toBe(403);
  const other = await program.makeSite(owner, { name: 'Other' });
  const foreign = `/api/site/${other.id}/table/tables/${testTable.table.id}/rules`;
  expect((await owner.get(foreign)).statusCode).toBe(404);
  expect((await owner.send('PUT', foreign, { rules: [] }, { 'if-match': '"1"' })).statusCode).toBe(404);
  expect((await owner.get(`${foreign}/preview?role=viewer`)).statusCode).toBe(404);
});

test('“view as” shows exactly what a role may see and do', async () => {
  await put([
    { role: 'viewer', action: 'read', allowed: true, fields: ['title'], filter: { field: 'kind', op: 'eq', value: 'b' } },
    { role: 'support', action: 'read', allowed: false },
    { role: 'support', action: 'update', allowed: true },
    { role: 'analyst', action: 'read', allowed: true, fields: ['title'] },
    { role: 'analyst', action: 'update', allowed: true },
  ]);
  const viewerPreview = await preview('viewer');
  expect(viewerPreview.may).toEqual([{ action: 'read', fields: [testTable.f['title']], limited: true }]);
  expect(viewerPreview.page.rows.map((row) => row.values)).toEqual([{ [testTable.f['title'] ?? '']: 't1' }]);
  expect(viewerPreview.page.total).toBe(1);
  expect(await preview('support')).toMatchObject({ may: [], page: { rows: [], total: 0 } });
  expect((await preview('public')).page.rows).toEqual([]);
  const asEditor = await preview('editor');
  expect(asEditor.may.map((one) => one.action)).toEqual(['read', 'create', 'update', 'delete', 'publish']);
  expect(asEditor.page.rows[0]?.values[testTable.f['code'] ?? '']).toBe('secret 0');
  const asAnalyst = await preview('analyst');
  expect(asAnalyst.page.rows[0]?.values).not.toHaveProperty(testTable.f['code'] ?? '');
  // Fields that cannot be seen cannot be written either, and are not listed.
  expect(asAnalyst.may.find((one) => one.action === 'update')?.fields).toEqual([testTable.f['title']]);
  await put([]);
});

test('a token with table scopes follows the rules of its owner’s role', async () => {
  const tokenOf = async (person: Person, scopes: string[]): Promise<Record<string, string>> => {
    const answer = await person.send('POST', '/api/acc/tokens', { name: 'robot', scopes });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return { authorization: `Bearer ${answer.json<{ data: { value: string } }>().data.value}` };
  };
  await put([
    { role: 'viewer', action: 'read', allowed: true, fields: ['title', 'kind'], filter: { field: 'kind', op: 'eq', value: 'a' } },
    { role: 'viewer', action: 'create', allowed: true, fields: ['title', 'kind'] },
  ]);
  const headers = await tokenOf(viewer, ['tables:read', 'tables:write']);
  const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => program.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  const listed = (await call('GET', `${testTable.path}/records`)).json<{ data: { rows: { values: object }[] } }>().data;
  expect(listed.rows.map((row) => row.values)).toEqual([
    { title: 't0', kind: 'a' },
    { title: 't2', kind: 'a' },
  ]);
  expect((await call('GET', `${testTable.path}/records?sort=cost`)).statusCode).toBe(422);
  expect((await call('POST', `${testTable.path}/records`, { records: [{ title: 'by a robot', kind: 'b' }] })).statusCode).toBe(200);
  expect((await call('POST', `${testTable.path}/records`, { records: [{ title: 'x', cost: '1' }] })).statusCode).toBeGreaterThanOrEqual(400);
  expect((await call('PUT', `${testTable.path}/rules`, { rules: [] })).json<{ code: string }>().code).toBe('token_scope');
  const reading = await tokenOf(owner, ['tables:read']);
  const refused = await program.app.inject({ method: 'POST', url: `${testTable.path}/records`, headers: reading, payload: { records: [{ title: 'x' }] } });
  expect(refused.json<{ code: string }>().code).toBe('token_scope');
  await put([]);
});

test('rules of one table do not affect another', async () => {
  const other = await addTestTable(owner, testTable.site.id, [{ key: 'name', type: 'text' }], { title: '另一张' });
  await put([{ role: 'viewer', action: 'read', allowed: false }]);
  expect(await refusal(viewer, `${testTable.path}/records`)).toBe('not_found');
  expect((await viewer.get(`${other.path}/records`)).statusCode).toBe(200);
  await put([]);
});

test('designers read their site’s audit log, without addresses unless permitted', async () => {
  const other = await program.makeSite(owner, { name: 'Elsewhere' });
  await addTestTable(owner, other.id, [{ key: 'name', type: 'text' }], { title: 'foreign' });
  const path = `/api/site/${testTable.site.id}/table/audit`;
  type Page = { rows: { id: string; action: string; siteId: string; address: string; target: { name: string } }[]; next: string | null };
  const log = async (by: Browser, query = '') => (await by.get(path + query)).json<{ data: Page }>().data;
  const all = await log(owner);
  expect(all.rows.length).toBeGreaterThan(2);
  expect(all.rows.every((row) => row.action.startsWith('table.') && row.siteId === testTable.site.id)).toBe(true);
  expect(all.rows[0]?.address).not.toBe('');
  const first = await log(owner, '?size=1');
  const second = await log(owner, `?size=1&before=${first.next ?? ''}`);
  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(all.rows.slice(0, 2).map(({ id }) => id));
  expect((await log(owner, '?kind=webhook')).rows).toEqual([]);
  const admin = await personOn(program, testTable.site, 'admin');
  const theirs = await log(admin);
  expect(theirs.rows.map(({ id }) => id)).toEqual(all.rows.map(({ id }) => id));
  expect(theirs.rows.every((row) => row.address === '')).toBe(true);
  expect((await viewer.get(path)).statusCode).toBe(403);
  expect((await admin.get(path.replace(testTable.site.id, other.id))).statusCode).toBe(404);
  expect((await owner.get(`${path}?kind=sign`)).statusCode).toBe(422);
});
