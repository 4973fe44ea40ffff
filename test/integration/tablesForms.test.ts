import { jest } from '@jest/globals';
import type { Batch, ContentRecord, RecordChange, RecordPage } from '../../contract/tables/records';
import type { PublicLink } from '../../contract/tables/publicLinks';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { auditLog } from '../../server/areas/audit/schema';
import { siteGrants } from '../../server/areas/sites/schema';
import { contentDeliveries, contentWebhooks } from '../../server/areas/tables/core/schema';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { publishForm, saveForm, visitorOf } from '../support/openForms';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { until } from '../support/until';
import { personOn } from './tablesLifeSupport';

jest.setTimeout(90_000);
let program: TestApp;
let guests: Tabled;
let posts: MadeTable;
beforeAll(async () => {
  program = await makeTestApp();
  guests = await makeTabled(
    program,
    [
      { key: 'name', type: 'text', title: '姓名', required: true, help: '与证件一致', options: { maxLength: 20 } },
      { key: 'mail', type: 'email', title: '邮箱', unique: true },
      { key: 'seats', type: 'integer', title: '人数', options: { min: 1, max: 5 }, default: { kind: 'value', value: 1 } },
      {
        key: 'kind',
        type: 'select',
        title: '参加方式',
        options: {
          choices: [
            { id: 'on', title: '现场', color: 'green' },
            { id: 'off', title: '线上', color: 'blue' },
          ],
        },
      },
      { key: 'stay', type: 'date', title: '入住', conditions: [] },
      { key: 'phase', type: 'text', title: '处理', default: { kind: 'value', value: '待处理' } },
      { key: 'code', type: 'text', title: '编码', options: { pattern: '[A-Z]+', patternMessage: '编码只用大写字母' } },
      { key: 'came', type: 'datetime', title: '提交时间', default: { kind: 'now' } },
    ],
    { title: '来宾' },
  );
  const { f } = guests;
  const conditions = [
    { filter: { field: f['kind'], op: 'ne', value: 'on' }, then: 'hidden' },
    { filter: { field: f['kind'], op: 'eq', value: 'on' }, then: 'required' },
  ];
  const changed = await guests.owner.send('PATCH', `${guests.path}/fields/${f['stay']}`, { conditions }, { 'if-match': `"${guests.table.revision}"` });
  if (changed.statusCode !== 200) throw new Error(changed.body);
  posts = await addTestTable(
    guests.owner,
    guests.site.id,
    [
      { key: 'title', type: 'text', title: '标题', required: true },
      { key: 'text', type: 'longText', title: '正文' },
      { key: 'inner', type: 'text', title: '编辑备注', required: true },
    ],
    { title: '投稿', drafts: true },
  );
});
afterAll(() => program.close());

const rows = async (table: MadeTable, query = ''): Promise<readonly ContentRecord[]> =>
  (await guests.owner.get(`${table.path}/records${query}`)).json<{ data: RecordPage }>().data.rows;
const publicLinkOf = async (id: string): Promise<PublicLink | undefined> =>
  (await guests.owner.get(`/api/site/${guests.site.id}/table/shares`)).json<{ data: PublicLink[] }>().data.find((publicLink) => publicLink.id === id);
const fieldErrorsOf = (answer: LightMyRequestResponse) => {
  const { fields } = answer.json<{ fields?: Record<string, { code: string; message?: string }> }>();
  return Object.fromEntries(Object.entries(fields ?? {}).map(([path, { code }]) => [path, code]));
};
const change = (id: string, revision: number, body: object) =>
  guests.owner.send('PATCH', `/api/site/${guests.site.id}/table/shares/${id}`, body, { 'if-match': `"${revision}"` });

test('a visitor submits the form, which creates a record with history', async () => {
  const { f } = guests;
  const { publicLink, secret } = await publishForm(
    guests.owner,
    guests,
    ['name', 'kind', 'stay', 'seats'],
    {},
    { formTitle: '茶会报名', formNote: '每人一份', formThanks: '收到了' },
  );
  expect(publicLink).toMatchObject({ kind: 'form', url: expect.stringMatching(/\/form\/[\w-]{43}$/), form: { answers: 0, status: 'open', limit: null } });
  const visitor = visitorOf(program, secret);
  expect(await visitor.form()).toMatchObject({ needsPassword: false, status: 'open', title: '茶会报名', note: '每人一份', style: 'groups' });
  expect((await visitor.fields()).map(({ names, required, help, start }) => [names[0], required, help, start])).toEqual([
    ['name', true, '与证件一致', null],
    ['kind', false, '', null],
    ['stay', false, '', null],
    ['seats', false, '', 1],
  ]);
  const receivedEvents: unknown[] = [];
  const off = program.ctx.live.subscribe((event) => void receivedEvents.push(event));
  const response = await visitor.send({ [f['name'] ?? '']: '王芳', [f['kind'] ?? '']: 'off', seats: '3' });
  expect([response.statusCode, response.json()]).toEqual([200, { data: { thanks: '收到了', redirect: null } }]);
  const [createdRecord] = await rows(guests, '?q=王芳');
  expect(createdRecord?.values).toMatchObject({ name: '王芳', kind: 'off', seats: 3, phase: '待处理', came: expect.any(String) });
  expect(createdRecord?.createdBy).toBeNull();
  await until(() => receivedEvents.some((event) => JSON.stringify(event).includes(`"${createdRecord?.id}"`)));
  off();

  const history = (await guests.owner.get(`${guests.path}/records/${createdRecord?.id}/history`)).json<{ data: RecordChange[] }>().data;
  expect(history).toMatchObject([{ kind: 'create', origin: 'form', by: '官网报名' }]);
  const batches = async () => (await guests.owner.get(`/api/site/${guests.site.id}/table/batches?table=${guests.table.id}`)).json<{ data: Batch[] }>().data;
  const [batch] = await batches();
  expect(batch).toMatchObject({ origin: 'form', by: '官网报名', created: 1, undone: false });
  expect((await publicLinkOf(publicLink.id))?.form).toMatchObject({ answers: 1, refused: 0 });
  const undone = await guests.owner.send('POST', `/api/site/${guests.site.id}/table/batches/${batch?.id}/undo`, {});
  expect(undone.statusCode).toBe(200);
  expect(await rows(guests, '?q=王芳')).toEqual([]);
  // Submissions stay counted, whatever becomes of their records.
  expect((await publicLinkOf(publicLink.id))?.form).toMatchObject({ answers: 1 });
});

test('submission errors are reported by field, and nothing is stored', async () => {
  const { f } = guests;
  const { publicLink, secret } = await publishForm(guests.owner, guests, ['name', 'mail', 'kind', 'stay', 'seats', 'code']);
  const visitor = visitorOf(program, secret);
  expect((await visitor.send({ name: '李雷', mail: 'li@example.com' })).statusCode).toBe(200);
  const before = (await rows(guests)).length;
  const wrong = await visitor.send({ name: '', mail: 'LI@', seats: 9, kind: 'on', code: 'abc' });
  expect(wrong.statusCode).toBe(422);
  expect(fieldErrorsOf(wrong)).toEqual({
    [`values.${f['name']}`]: 'required',
    [`values.${f['mail']}`]: 'not_an_email',
    [`values.${f['seats']}`]: 'out_of_range',
    [`values.${f['stay']}`]: 'required',
    [`values.${f['code']}`]: 'pattern',
  });
  expect(wrong.json<{ fields: Record<string, { message?: string }> }>().fields[`values.${f['code']}`]?.message).toBe('编码只用大写字母');
  const twice = await visitor.send({ name: '另一位', mail: 'li@example.com' });
  expect(fieldErrorsOf(twice)).toEqual({ [`values.${f['mail']}`]: 'taken' });
  expect(twice.body).not.toContain('李雷');
  expect((await rows(guests)).length).toBe(before);
  expect((await publicLinkOf(publicLink.id))?.form?.answers).toBe(1);
});

test('repeating a submission with the same key creates no second record', async () => {
  const { publicLink, secret } = await publishForm(guests.owner, guests, ['name'], { form: { limit: 1, closedText: '名额已满' } });
  const visitor = visitorOf(program, secret);
  const stamp = await visitor.stamp();
  const key = { 'idempotency-key': 'once-only' };
  const both = await Promise.all([visitor.post({ values: { name: '一次' }, stamp }, key), visitor.post({ values: { name: '一次' }, stamp }, key)]);
  expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  // After a reload the page has a new stamp, and repeats a submission whose response it has not received.
  const again = await visitor.post({ values: { name: '一次' }, stamp }, key);
  expect([again.statusCode, (await rows(guests, '?q=一次')).length]).toEqual([200, 1]);
  expect((await visitor.post({ values: { name: '改了' }, stamp }, key)).statusCode).toBe(409);
  expect(await visitor.form()).toMatchObject({ status: 'full', closedText: '名额已满', sections: [], stamp: '' });
  expect((await publicLinkOf(publicLink.id))?.form).toMatchObject({ answers: 1, status: 'full' });
  const more = await change(publicLink.id, publicLink.revision, { form: { limit: 2 } });
  expect(more.json<{ data: PublicLink }>().data.form).toMatchObject({ limit: 2, status: 'open', closedText: '' });
  expect((await visitor.form()).status).toBe('open');
});

test('a form on a drafts table creates drafts or publishes at once', async () => {
  const waiting = await publishForm(guests.owner, posts, ['title', 'text']);
  const visitor = visitorOf(program, waiting.secret);
  expect(fieldErrorsOf(await visitor.send({ text: '没有标题' }))).toEqual({ [`values.${posts.f['title']}`]: 'required' });
  expect((await visitor.send({ title: '春茶', text: '<b>正文</b>' })).statusCode).toBe(200);
  expect(await rows(posts, '?q=春茶')).toMatchObject([{ state: 'draft', values: { text: '<b>正文</b>' } }]);

  const view = await saveForm(guests.owner, posts, ['title', 'text']);
  const refused = await guests.owner.send('POST', `${posts.path}/views/${view.id}/shares`, { name: '直接发布', form: { publish: true } });
  expect([refused.statusCode, fieldErrorsOf(refused)]).toEqual([422, { view: 'in_use' }]);
  const whole = await publishForm(guests.owner, posts, ['title', 'inner'], { form: { publish: true } });
  expect((await visitorOf(program, whole.secret).send({ title: '秋茶', inner: '-' })).statusCode).toBe(200);
  expect(await rows(posts, '?q=秋茶')).toMatchObject([{ state: 'published' }]);
});

test('a form stops with its link, expiry, view or table', async () => {
  const { publicLink, secret, view } = await publishForm(guests.owner, guests, ['name'], { expiresAt: new Date(program.ctx.now() + 3_600_000).toISOString() });
  const visitor = visitorOf(program, secret);
  const stamp = await visitor.stamp();
  const send = async () => (await visitor.post({ values: { name: '晚了' }, stamp })).statusCode;
  const both = async () => [(await visitor.open()).statusCode, await send()];

  // The table goes into the bin and is restored.
  const { revision } = (await guests.owner.get(`/api/site/${guests.site.id}/table/tables`))
    .json<{ data: { id: string; revision: number }[] }>()
    .data.find(({ id }) => id === guests.table.id) ?? { revision: 0 };
  expect((await guests.owner.send('DELETE', guests.path, undefined, { 'if-match': `"${revision}"` })).statusCode).toBeLessThan(300);
  expect(await both()).toEqual([404, 404]);
  expect((await guests.owner.send('POST', `${guests.path}/restore`, {})).statusCode).toBeLessThan(300);
  expect((await visitor.open()).statusCode).toBe(200);

  const later = new Date(program.ctx.now() + 1000).toISOString();
  const changed = await change(publicLink.id, publicLink.revision, { expiresAt: later });
  expect(changed.statusCode).toBe(200);
  program.pass(1500);
  expect(await both()).toEqual([410, 410]);
  await change(publicLink.id, publicLink.revision + 1, { expiresAt: null });
  expect((await visitor.open()).statusCode).toBe(200);

  // A view of another kind does not show its records through the link of a form.
  const turned = await guests.owner.send('PATCH', `${guests.path}/views/${view.id}`, { kind: 'grid' }, { 'if-match': `"${view.revision}"` });
  expect(turned.statusCode).toBe(200);
  expect(await both()).toEqual([404, 404]);
  expect((await program.app.inject({ method: 'GET', url: '/api/view', headers: { 'x-share': secret } })).statusCode).toBe(404);
  await guests.owner.send('PATCH', `${guests.path}/views/${view.id}`, { kind: 'form' }, { 'if-match': `"${view.revision + 1}"` });
  expect((await visitor.open()).statusCode).toBe(200);

  expect((await guests.owner.send('DELETE', `/api/site/${guests.site.id}/table/shares/${publicLink.id}`)).statusCode).toBe(204);
  expect(await both()).toEqual([404, 404]);
  const log = await program.ctx.postgres.db.select().from(auditLog);
  expect(log.filter(({ action }) => action === 'table.shared').at(-1)?.after).toMatchObject({ form: { limit: null, publish: false } });
});

test('a form stops when its creator loses the right to share', async () => {
  const maker = await personOn(program, guests.site, 'admin');
  const { publicLink, secret } = await publishForm(maker, guests, ['name']);
  const visitor = visitorOf(program, secret);
  const stamp = await visitor.stamp();
  const { db } = program.ctx.postgres;
  const role = (to: 'admin' | 'editor') => db.update(siteGrants).set({ role: to }).where(eq(siteGrants.userId, maker.userId));
  await role('editor');
  expect([(await visitor.open()).statusCode, (await visitor.post({ values: { name: '甲' }, stamp })).statusCode]).toEqual([410, 410]);
  expect(await publicLinkOf(publicLink.id)).toMatchObject({ stopped: 'role', form: { status: 'stopped' } });
  await role('admin');
  expect((await visitor.open()).statusCode).toBe(200);
  await role('editor');
  expect((await guests.owner.send('POST', `/api/site/${guests.site.id}/table/shares/${publicLink.id}/take-over`)).statusCode).toBe(200);
  expect((await visitor.open()).statusCode).toBe(200);
});

test('a removed field leaves the form, and its input is refused', async () => {
  const tea = await addTestTable(
    guests.owner,
    guests.site.id,
    [
      { key: 'name', type: 'text' },
      { key: 'extra', type: 'text' },
    ],
    { title: '删字段' },
  );
  const { secret } = await publishForm(guests.owner, tea, ['name', 'extra']);
  const visitor = visitorOf(program, secret);
  expect((await visitor.fields()).map(({ title }) => title)).toEqual(['name', 'extra']);
  const stamp = await visitor.stamp();
  const extra = tea.f['extra'] ?? '';
  expect((await guests.owner.send('DELETE', `${tea.path}/fields/${extra}`, undefined, { 'if-match': `"${tea.table.revision}"` })).statusCode).toBeLessThan(300);
  expect(fieldErrorsOf(await visitor.post({ values: { name: '甲', [extra]: '乙' }, stamp }))).toEqual({ [`values.${extra}`]: 'unknown_field' });
  expect((await visitor.fields()).map(({ title }) => title)).toEqual(['name']);
  expect((await visitor.post({ values: { name: '甲' }, stamp })).statusCode).toBe(200);
});

test('a form stops when a field outside it becomes required', async () => {
  const tea = await addTestTable(
    guests.owner,
    guests.site.id,
    [
      { key: 'name', type: 'text' },
      { key: 'extra', type: 'text' },
    ],
    { title: '改动' },
  );
  const { publicLink, secret } = await publishForm(guests.owner, tea, ['name']);
  const visitor = visitorOf(program, secret);
  const stamp = await visitor.stamp();
  const changed = await guests.owner.send('PATCH', `${tea.path}/fields/${tea.f['extra']}`, { required: true }, { 'if-match': `"${tea.table.revision}"` });
  expect(changed.statusCode).toBe(200);
  expect((await visitor.form()).status).toBe('unfit');
  expect((await visitor.post({ values: { name: '不行' }, stamp })).statusCode).toBe(410);
  expect((await publicLinkOf(publicLink.id))?.form?.status).toBe('unfit');
});

test('a change that would make a form impossible to submit is refused', async () => {
  const tea = await addTestTable(
    guests.owner,
    guests.site.id,
    [
      { key: 'name', type: 'text' },
      { key: 'checked', type: 'user', required: true },
    ],
    { title: '先审后发', drafts: true },
  );
  const { publicLink } = await publishForm(guests.owner, tea, ['name']);
  const path = `/api/site/${guests.site.id}/table/shares/${publicLink.id}`;
  const form = { limit: 5, closedText: '', once: false, redirect: null, embeds: [] };
  const publishing = (publish: boolean) => guests.owner.send('PATCH', path, { form: { ...form, publish } }, { 'if-match': `"${publicLink.revision}"` });
  expect(fieldErrorsOf(await publishing(true))).toEqual({ 'form.publish': 'in_use' });
  expect((await publishing(false)).json<{ data: PublicLink }>().data.form).toMatchObject({ limit: 5, publish: false, status: 'open' });
});

test('conditions on fields outside the form apply without revealing them', async () => {
  const tea = await addTestTable(
    guests.owner,
    guests.site.id,
    [
      { key: 'name', type: 'text' },
      { key: 'phase', type: 'text', default: { kind: 'value', value: 'sealed-inside' } },
      { key: 'more', type: 'text' },
    ],
    { title: '条件' },
  );
  const filter = { field: tea.f['phase'], op: 'eq', value: 'sealed-inside' };
  let { revision } = tea.table;
  const put = async (key: string, body: object) => {
    const answer = await guests.owner.send('PATCH', `${tea.path}/fields/${tea.f[key]}`, body, { 'if-match': `"${revision}"` });
    expect(answer.statusCode).toBe(200);
    revision = answer.json<{ data: { revision: number } }>().data.revision;
  };
  await put('more', { conditions: [{ filter, then: 'hidden' }] });
  const { secret } = await publishForm(guests.owner, tea, ['name', 'more']);
  const visitor = visitorOf(program, secret);
  const [, more] = await visitor.fields();
  expect(more?.conditions).toEqual([{ filter: { and: [] }, then: 'hidden' }]);
  expect((await visitor.open()).body).not.toMatch(/phase|sealed/);
  await put('phase', { rules: [{ filter: { field: tea.f['phase'], op: 'eq', value: 'open' }, message: '内部规则' }] });
  const refused = await visitor.send({ name: '甲' });
  expect([refused.statusCode, refused.body.includes('内部规则')]).toEqual([403, false]);
});

test('a submission triggers the webhooks of the site', async () => {
  const { secret } = await publishForm(guests.owner, guests, ['name']);
  const { db } = program.ctx.postgres;
  const [hook] = await db
    .insert(contentWebhooks)
    .values({
      siteId: guests.site.id,
      name: '通知',
      url: 'https://example.com/',
      secret: '',
      events: ['record.created'],
      createdAt: new Date(program.ctx.now()),
    })
    .returning();
  expect((await visitorOf(program, secret).send({ name: '增长' })).statusCode).toBe(200);
  const waiting = await db.select().from(contentDeliveries);
  expect(waiting).toMatchObject([{ hookId: hook?.id, event: 'record.created', tableId: guests.table.id, recordIds: [expect.any(String)] }]);
  await db.delete(contentWebhooks);
});
