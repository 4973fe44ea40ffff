import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PublicLink } from '../../contract/tables/publicLinks';
import type { RecordPage } from '../../contract/tables/records';
import { personOn } from '../integration/tablesLifeSupport';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { publishForm, saveForm, visitorOf } from '../support/openForms';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { withoutGenerated } from '../support/generatedText';

/** A form accepts its own fields from anybody and reveals nothing. */

jest.setTimeout(90_000);
let program: TestApp;
let staff: Tabled;
beforeAll(async () => {
  // Pages are built separately; only their response headers are tested here.
  const consoleDir = mkdtempSync(path.join(tmpdir(), 'console-'));
  writeFileSync(path.join(consoleDir, 'form.html'), '<!doctype html><meta nonce="__NONCE__">');
  program = await makeTestApp({ consoleDir });
  staff = await makeTabled(
    program,
    [
      { key: 'name', type: 'text' },
      { key: 'note', type: 'longText' },
      { key: 'pay', type: 'number', sensitive: true, default: { kind: 'value', value: '9000' } },
      { key: 'inner', type: 'text', hidden: true, default: { kind: 'value', value: 'mole' } },
      { key: 'fixed', type: 'text', readonly: true, default: { kind: 'value', value: 'stone' } },
      { key: 'code', type: 'password' },
      { key: 'owner', type: 'user' },
      { key: 'files', type: 'file' },
      { key: 'raw', type: 'json' },
      { key: 'outside', type: 'text', default: { kind: 'value', value: 'elsewhere' } },
      { key: 'double', type: 'formula', options: { formula: '{pay} * 2' } },
    ],
    { title: '员工' },
  );
  const response = await staff.owner.send('POST', `${staff.path}/records`, { records: [{ name: '王芳', note: '旧记录' }] });
  if (response.statusCode !== 200) throw new Error(response.body);
});
afterAll(() => program.close());

const all = ['name', 'note', 'pay', 'inner', 'fixed', 'code', 'owner', 'files', 'raw', 'double'] as const;
const count = async (table: MadeTable = staff): Promise<number> =>
  (await staff.owner.get(`${table.path}/records`)).json<{ data: RecordPage }>().data.rows.length;
const publicLinkOf = async (id: string): Promise<PublicLink | undefined> =>
  (await staff.owner.get(`/api/site/${staff.site.id}/table/shares`)).json<{ data: PublicLink[] }>().data.find((publicLink) => publicLink.id === id);

test('a form reveals and accepts only its own fields', async () => {
  const { secret } = await publishForm(staff.owner, staff, [...all]);
  const visitor = visitorOf(program, secret);
  expect((await visitor.fields()).map(({ title }) => title)).toEqual(['name', 'note']);
  const formBody = withoutGenerated((await visitor.open()).body);
  expect(formBody).not.toMatch(/9000|mole|stone|elsewhere|pay|inner|fixed|code|owner|files|double|王芳|旧记录|Owner/);
  const before = await count();
  for (const key of [...all.slice(2), 'outside', '$id', '$state', '$createdAt', '__proto__', 'constructor', 'id', 'rev', 'nothing']) {
    const names = [key, staff.f[key] ?? ''].filter((name) => name !== '');
    for (const name of names) {
      const answer = await visitor.send(JSON.parse(`{"name":"甲","${name}":"x"}`) as object);
      expect([name, answer.statusCode >= 400 || name === '__proto__']).toEqual([name, true]);
      expect([name, answer.body.includes('readonly')]).toEqual([name, false]);
    }
  }
  const storedRows = (await staff.owner.get(`${staff.path}/records`)).json<{ data: RecordPage }>().data.rows;
  expect(storedRows.length).toBeLessThanOrEqual(before + 1);
  for (const { values } of storedRows.slice(0, storedRows.length - before)) expect(values).toMatchObject({ pay: '9000', inner: 'mole', outside: 'elsewhere' });
});

test('fifty simultaneous submissions do not exceed the form’s limit', async () => {
  const { publicLink, secret } = await publishForm(staff.owner, staff, ['name'], { form: { limit: 7 } });
  const visitor = visitorOf(program, secret);
  const before = await count();
  const stamps = [await visitor.stamp(), await visitor.stamp(), await visitor.stamp()];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => visitor.post({ values: { name: `第 ${at} 位` }, stamp: stamps[at % 3] }, { 'idempotency-key': randomUUID() })),
  );
  const codes = answers.map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 200)).toHaveLength(7);
  expect(codes.filter((code) => code === 410)).toHaveLength(43);
  expect([(await count()) - before, (await publicLinkOf(publicLink.id))?.form?.answers]).toEqual([7, 7]);
});

test('hostile values are refused or stored as plain text', async () => {
  const { secret } = await publishForm(staff.owner, staff, ['name', 'note']);
  const visitor = visitorOf(program, secret);
  const html = '<img src=x onerror=alert(1)><script>1</script>';
  expect((await visitor.send({ name: html, note: `${html}\n=cmd()` })).statusCode).toBe(200);
  const [row] = (await staff.owner.get(`${staff.path}/records?q=onerror`)).json<{ data: RecordPage }>().data.rows;
  expect(row?.values).toMatchObject({ name: html });
  const stamp = await visitor.stamp();
  const key = () => ({ 'idempotency-key': randomUUID() });
  expect((await visitor.post({ values: { name: '甲', note: 'x'.repeat(1_000_000) }, stamp }, key())).statusCode).toBe(413);
  for (const values of [{ name: { toString: 1 } }, { name: ['甲'] }, { name: 1 }, { name: 'a\u0000b' }, { name: '甲\n乙' }])
    expect([values, (await visitor.post({ values, stamp }, key())).statusCode]).toEqual([values, 422]);
  for (const body of [{}, [], { values: [], stamp }, { values: {}, stamp, publish: true }, { values: { name: '甲' } }, { values: { name: '甲' }, stamp: 7 }])
    expect((await visitor.post(body, key())).statusCode).toBeGreaterThanOrEqual(400);
  expect((await visitor.post({ values: { name: '甲' }, stamp }, { 'idempotency-key': 'a'.repeat(300) })).statusCode).toBe(400);
});

test('bots are stopped by timing, a trap field and signed stamps', async () => {
  const { publicLink, secret } = await publishForm(staff.owner, staff, ['name']);
  const other = await publishForm(staff.owner, staff, ['name']);
  const visitor = visitorOf(program, secret);
  const before = await count();
  const fresh = (await visitor.form()).stamp;
  const early = await visitor.post({ values: { name: '快' }, stamp: fresh });
  expect([early.statusCode, Number(early.headers['retry-after']) <= 2]).toEqual([429, true]);
  program.pass(2100);
  const caught = await visitor.post({ values: { name: '机器' }, stamp: fresh, trap: 'https://spam.example' });
  expect([caught.statusCode, caught.json()]).toEqual([200, { data: { thanks: '', redirect: null } }]);
  expect([(await count()) - before, (await publicLinkOf(publicLink.id))?.form]).toMatchObject([0, { answers: 0, refused: 1 }]);

  const [at = '', own = '', mac = ''] = fresh.split('.');
  const foreign = await visitorOf(program, other.secret).stamp();
  for (const stamp of ['', 'x', `${Number(at) - 1}.${own}.${mac}`, `${at}.${own}.${mac.slice(1)}`, foreign, `${at}.${own}.${'A'.repeat(43)}`])
    expect([stamp, (await visitor.post({ values: { name: '甲' }, stamp })).statusCode]).toEqual([stamp, 422]);
  const again = async (stamp: string) => visitor.post({ values: { name: '再来' }, stamp }, { 'idempotency-key': randomUUID() });
  let last = await again(fresh);
  for (let n = 0; n < 25; n++) last = await again(fresh);
  // Like a stamp that is too old: the page requests a new one.
  expect(last.json()).toMatchObject({ code: 'invalid_fields', fields: { stamp: { code: 'unknown' } } });
  expect((await count()) - before).toBeLessThan(20);
  expect((await again(await visitor.stamp())).statusCode).toBe(200);
});

test('a form opens only with its own link, password and origin', async () => {
  const locked = await publishForm(staff.owner, staff, ['name'], { password: 'tea-2026' }, { formTitle: '内部报名', formNote: '只给同事' });
  const visitor = visitorOf(program, locked.secret);
  const closed = await visitor.open();
  expect(closed.json()).toMatchObject({ data: { needsPassword: true, title: '', note: '', sections: [], stamp: '' } });
  const other = await publishForm(staff.owner, staff, ['name']);
  const stamp = await visitorOf(program, other.secret).stamp();
  expect((await visitor.post({ values: { name: '甲' }, stamp })).statusCode).toBe(401);
  for (const url of [staff.path, `${staff.path}/records`, '/api/view', '/api/view/rows', '/api/view/file', `/api/site/${staff.site.id}/table/shares`]) {
    const answer = await program.app.inject({ method: 'GET', url, headers: { 'x-share': other.secret } });
    expect([url, answer.statusCode >= 400]).toEqual([url, true]);
  }
  const open = visitorOf(program, other.secret);
  expect((await open.post({ values: { name: '甲' }, stamp }, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  expect((await visitorOf(program, 'A'.repeat(43)).open()).statusCode).toBe(404);
  // The secret of a view of records opens no form.
  const view = await staff.owner.send('POST', `${staff.path}/views`, { title: '列表', kind: 'grid', query: {} });
  const grid = await staff.owner.send('POST', `${staff.path}/views/${view.json<{ data: { id: string } }>().data.id}/shares`, { name: '列表' });
  const secret = grid.json<{ data: PublicLink }>().data.url.split('/').at(-1) ?? '';
  expect((await visitorOf(program, secret).open()).statusCode).toBe(404);
});

test('idempotency keys are separate per link, person and token', async () => {
  const one = await publishForm(staff.owner, staff, ['name']);
  const two = await publishForm(staff.owner, staff, ['name']);
  const key = { 'idempotency-key': 'shared-key' };
  const before = await count();
  expect((await visitorOf(program, one.secret).send({ name: '甲' }, key)).statusCode).toBe(200);
  expect((await visitorOf(program, two.secret).send({ name: '甲' }, key)).statusCode).toBe(200);
  expect((await staff.owner.send('POST', `${staff.path}/records`, { records: [{ name: '甲' }] }, key)).statusCode).toBe(200);
  expect((await count()) - before).toBe(3);
});

test('only designers create form links, with valid URLs and origins', async () => {
  const view = await saveForm(staff.owner, staff, ['name']);
  const make = (body: object, by = staff.owner) => by.send('POST', `${staff.path}/views/${view.id}/shares`, { name: '表单', ...body });
  expect((await make({}, await personOn(program, staff.site, 'editor'))).statusCode).toBe(403);
  for (const form of [
    { redirect: 'javascript:alert(1)' },
    { redirect: 'ftp://example.com' },
    { redirect: '//example.com' },
    { embeds: ['*'] },
    { embeds: ['https://*'] },
    { embeds: ['https://x;script-src-elem', 'https://evil.example'] },
    { embeds: ['https://x,y'] },
    { embeds: ["https://'self'"] },
    { embeds: ["https://a.example; script-src 'unsafe-inline'"] },
    { embeds: ['https://a.example/path'] },
    { embeds: ['https://user@a.example'] },
    { embeds: ['null'] },
    { limit: 0 },
    { limit: 1.5 },
    { other: true },
  ])
    expect([form, (await make({ form })).statusCode]).toEqual([form, 422]);
  const response = await make({ form: { embeds: ['https://Shop.example/', 'http://localhost:8080'], redirect: 'https://shop.example/thanks?from=form' } });
  const publicLink = response.json<{ data: PublicLink }>().data;
  expect(publicLink.form).toMatchObject({ embeds: ['https://shop.example', 'http://localhost:8080'], redirect: 'https://shop.example/thanks?from=form' });
  const page = async (secret: string) => String((await program.app.inject({ method: 'GET', url: `/form/${secret}` })).headers['content-security-policy']);
  expect(await page(publicLink.url.split('/').at(-1) ?? '')).toContain('frame-ancestors https://shop.example http://localhost:8080;');
  for (const secret of ['A'.repeat(43), 'x', (await publishForm(staff.owner, staff, ['name'])).secret])
    expect(await page(secret)).toContain("frame-ancestors 'none'");

  const singleton = await addTestTable(staff.owner, staff.site.id, [{ key: 'name', type: 'text' }], { title: '单条', kind: 'singleton' });
  const only = await saveForm(staff.owner, singleton, ['name']);
  expect((await staff.owner.send('POST', `${singleton.path}/views/${only.id}/shares`, { name: '单条' })).statusCode).toBe(422);
});

test('a form left open for a day must be reopened', async () => {
  const visitor = visitorOf(program, (await publishForm(staff.owner, staff, ['name'])).secret);
  const stamp = await visitor.stamp();
  program.pass(25 * 3_600_000);
  expect((await visitor.post({ values: { name: '旧' }, stamp })).statusCode).toBe(422);
  expect((await visitor.send({ name: '旧' })).statusCode).toBe(200);
});
