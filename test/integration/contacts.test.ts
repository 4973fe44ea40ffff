import { randomUUID } from 'node:crypto';
import type { Contact, ImportedContact } from '../../contract/contacts/schemas';
import { notifyContacts } from '../../server/areas/contacts';
import { contacts } from '../../server/areas/contacts/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { contactCalls, contactInput, mailConfig } from './contactsSupport';

let t: TestApp;
let owner: Person;
beforeEach(async () => {
  t = await makeTestApp({ config: mailConfig });
  owner = await t.signUpOwner();
});
afterEach(() => t.close());
const { add, write, merge, verified, waiting, audited } = contactCalls(() => ({ t, owner }));

describe('one contact', () => {
  test('PATCH merges, PUT replaces', async () => {
    const contact = await add(contactInput);
    expect(contact).toMatchObject({ ...contactInput, phone: '+8613800138000', revision: 1, emailVerifiedAt: null });
    const patched = (await write('PATCH', contact, { note: '周末' })).json<{ data: Contact }>().data;
    expect(patched).toMatchObject({ ...contactInput, phone: '+8613800138000', note: '周末', revision: 2 });
    const cleared = (await write('PATCH', patched, { email: null })).json<{ data: Contact }>().data;
    expect(cleared).toMatchObject({ email: null, phone: '+8613800138000' });
    const replaced = (await write('PUT', cleared, { name: '王芳' })).json<{ data: Contact }>().data;
    expect(replaced).toMatchObject({
      name: '王芳',
      company: '',
      title: 'other',
      email: null,
      phone: null,
      subscriptions: {},
      webhook: null,
      quietHours: null,
      revision: 4,
    });
    expect((await owner.get(`/api/acc/contacts/${contact.id}`)).json()).toEqual({ data: replaced });
    expect(await audited('contact.changed')).toMatchObject([
      { target_name: '王芳', before: { note: '周一至周五' }, after: { note: '周末' } },
      { before: { email: 'wang@example.cn' }, after: { email: null } },
      { before: { company: '茶馆' }, after: { company: '' } },
    ]);
  });
  test('a stale revision is refused with the current state', async () => {
    const contact = await add(contactInput);
    await write('PATCH', contact, { note: 'first' });
    for (const method of ['PUT', 'PATCH'] as const) {
      const answer = await write(method, contact, { name: 'second' });
      expect([answer.statusCode, answer.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'stale_revision', current: expect.objectContaining({ note: 'first', revision: 2 }) }),
      ]);
    }
  });
  test('of two concurrent writers, one succeeds', async () => {
    const contact = await add(contactInput);
    const answers = await Promise.all([write('PATCH', contact, { note: 'a' }), write('PATCH', contact, { note: 'b' })]);
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([200, 409]);
  });
  test('an address belongs to one contact, whom the refusal names', async () => {
    const first = await add(contactInput);
    const second = await add({ name: '李' });
    const emailTaken = { code: 'email_taken', fields: { email: { code: 'taken' } }, current: { id: first.id, name: '王芳' } };
    expect((await owner.send('POST', '/api/acc/contacts', { name: '赵', email: 'Wang@Example.cn' })).json()).toMatchObject(emailTaken);
    expect((await write('PATCH', second, { email: 'wang@example.cn' })).json()).toMatchObject(emailTaken);
    expect((await audited('contact.added')).map((row) => row.target_name)).toEqual(['王芳', '李']);
  });
  test('a changed address must be verified again', async () => {
    const contact = await add(contactInput);
    await verified();
    const same = (await write('PUT', contact, contactInput)).json<{ data: Contact }>().data;
    expect(same.emailVerifiedAt).not.toBeNull();
    expect((await write('PATCH', same, { email: 'new@example.cn' })).json<{ data: Contact }>().data.emailVerifiedAt).toBeNull();
  });
  test('refuses a new webhook at a private address', async () => {
    const refused = async (webhook: string) =>
      (await owner.send('POST', '/api/acc/contacts', { ...contactInput, webhook })).json<{ fields?: unknown }>().fields;
    for (const webhook of [
      'http://127.0.0.1:8080/x',
      'http://localhost/x',
      'http://localhost./x',
      'https://10.0.0.7/x',
      'http://[::ffff:7f00:1]/',
      'http://169.254.169.254/',
    ])
      expect(await refused(webhook)).toEqual({ webhook: { code: 'reserved' } });
    expect(await refused('https://someone:secret@hooks.example.com/')).toEqual({ webhook: { code: 'not_a_url' } });
    const contact = await add(contactInput);
    expect((await write('PATCH', contact, { webhook: 'http://192.168.1.4/' })).json()).toMatchObject({ fields: { webhook: { code: 'reserved' } } });
    await t.ctx.postgres.db.update(contacts).set({ webhook: 'http://192.168.1.4/' });
    expect((await write('PUT', contact, { ...contactInput, note: 'a', webhook: 'http://192.168.1.4/' })).statusCode).toBe(200);
  });
  test('errors name each field', async () => {
    const fieldErrors = async (body: object) => (await owner.send('POST', '/api/acc/contacts', body)).json<{ fields: unknown }>().fields;
    expect(await fieldErrors({ name: ' ', email: 'no', phone: 'abc', title: 'king', extra: 1, webhook: 'javascript:alert(1)' })).toEqual({
      name: { code: 'required' },
      email: { code: 'not_an_email' },
      phone: { code: 'pattern' },
      title: { code: 'pattern' },
      extra: { code: 'unknown_field' },
      webhook: { code: 'not_a_url' },
    });
    expect(await fieldErrors({ name: 'x', quietHours: { timeZone: 'Mars/Base', from: '22:00', to: '08:00' } })).toEqual({
      'quietHours.timeZone': { code: 'not_a_time_zone' },
    });
    expect(await fieldErrors({ name: 'x', quietHours: { timeZone: 'UTC', from: '25:00', to: '08:00' } })).toEqual({ 'quietHours.from': { code: 'pattern' } });
    expect(await fieldErrors({ name: 'x', subscriptions: { weather: ['mail'] } })).toBeDefined();
    expect(await fieldErrors({ name: 'x', siteIds: ['aaaaaaaaaaaa'] })).toEqual({ siteIds: { code: 'unknown' } });
  });
  test('removing it also removes its pending messages', async () => {
    const contact = await add(contactInput);
    await verified();
    await notifyContacts(t.ctx, t.ctx.postgres.db, { topic: 'billing', message: () => ({ subject: 's', paragraphs: ['p'] }) });
    expect(await waiting()).toHaveLength(1);
    expect((await owner.send('DELETE', `/api/acc/contacts/${contact.id}`)).statusCode).toBe(204);
    expect(await waiting()).toHaveLength(0);
    expect((await owner.send('DELETE', `/api/acc/contacts/${contact.id}`)).statusCode).toBe(404);
    expect((await write('PATCH', contact, { note: 'x' })).statusCode).toBe(404);
    expect((await owner.get('/api/acc/contacts/not-an-id')).statusCode).toBe(404);
    expect(await audited('contact.removed')).toMatchObject([{ target_name: '王芳', before: { email: 'wang@example.cn' } }]);
  });
  test('only visible sites can be chosen, and others’ choices remain', async () => {
    const site = await t.makeSite(owner);
    const finance = await t.makePerson('finance');
    const contact = await add({ name: 'x', siteIds: [site.id] });
    expect(contact.siteIds).toEqual([site.id]);
    const same = await finance.send('PATCH', `/api/acc/contacts/${contact.id}`, { siteIds: [site.id], note: 'n' }, { 'if-match': '"1"' });
    expect(same.json<{ data: Contact }>().data).toMatchObject({ siteIds: [site.id], note: 'n' });
    expect((await finance.send('POST', '/api/acc/contacts', { name: 'y', siteIds: [site.id] })).json()).toMatchObject({
      fields: { siteIds: { code: 'unknown' } },
    });
  });
});

describe('the key of a webhook', () => {
  test('is created with the webhook and changes with its address', async () => {
    const contact = await add(contactInput);
    expect(contact.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    const renamed = (await write('PUT', contact, { ...contactInput, name: '王' })).json<{ data: Contact }>().data;
    expect(renamed.webhookSecret).toBe(contact.webhookSecret);
    const moved = (await write('PATCH', renamed, { webhook: 'https://other.example.com/' })).json<{ data: Contact }>().data;
    expect(moved.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(moved.webhookSecret).not.toBe(contact.webhookSecret);
    expect((await write('PATCH', moved, { webhook: null })).json<{ data: Contact }>().data).toMatchObject({ webhook: null, webhookSecret: null });
  });
  test('is sealed in the database and never in the audit log', async () => {
    const shownSecret = (await add(contactInput)).webhookSecret ?? '';
    const webhookSecret = Buffer.from(shownSecret.slice('whsec_'.length), 'base64').toString();
    const stored = await t.ctx.postgres.pool.query('select webhook_secret from contacts');
    expect(JSON.stringify(stored.rows)).not.toContain(webhookSecret);
    expect(JSON.stringify((await t.ctx.postgres.pool.query('select * from audit_log')).rows)).not.toContain(webhookSecret);
  });
});

describe('merging', () => {
  test('fills missing values, joins lists and removes the other contact', async () => {
    const targetContact = await add({ name: '王芳', company: '茶馆', subscriptions: { billing: ['mail'] }, siteIds: null, note: 'a' });
    const other = await add({ ...contactInput, subscriptions: { billing: ['webhook'], uptime: ['mail'] }, note: 'b' });
    await verified();
    const answer = (await merge(targetContact, other.id)).json<{ data: Contact }>().data;
    expect(answer).toMatchObject({
      id: targetContact.id,
      email: 'wang@example.cn',
      emailVerifiedAt: expect.any(String),
      title: 'finance',
      phone: '+8613800138000',
      subscriptions: { billing: ['mail', 'webhook'], uptime: ['mail'] },
      webhook: contactInput.webhook,
      webhookSecret: other.webhookSecret,
      note: 'a\nb',
      revision: 2,
    });
    expect((await owner.get(`/api/acc/contacts/${other.id}`)).statusCode).toBe(404);
    expect(await audited('contact.merged')).toMatchObject([{ target_name: '王芳', before: { removed: '王芳' }, after: { email: 'wang@example.cn' } }]);
  });
  test('a contact’s own address stays unconfirmed', async () => {
    const other = await add(contactInput);
    await verified();
    const targetContact = await add({ name: 'x', email: 'x@example.com' });
    expect((await merge(targetContact, other.id)).json<{ data: Contact }>().data).toMatchObject({ email: 'x@example.com', emailVerifiedAt: null });
  });
  test('invalid or stale merges are refused, and one of two succeeds', async () => {
    const [a, b] = [await add({ name: 'a' }), await add({ name: 'b' })];
    expect((await merge(a, a.id)).json()).toMatchObject({ code: 'invalid_fields', fields: { from: { code: 'duplicate' } } });
    expect((await merge(a, randomUUID())).statusCode).toBe(404);
    expect((await merge({ ...a, revision: 7 }, b.id)).json()).toMatchObject({ code: 'stale_revision', current: { name: 'a' } });
    const answers = await Promise.all([merge(a, b.id), merge(b, a.id)]);
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    expect((await owner.get('/api/acc/contacts')).json<{ data: Contact[] }>().data).toHaveLength(1);
  });
});

describe('importing', () => {
  const bring = async (format: 'csv' | 'vcard', text: string, dryRun = false) =>
    (await owner.send('POST', '/api/acc/contacts-import', { format, text, dryRun })).json<{ data: { rows: ImportedContact[]; added: number } }>().data;
  const csv = '姓名,邮箱,手机,职务,通知内容\n王芳,wang@example.cn,138 0013 8000,财务,账单、安全\n李雷,坏的,,,\n韩梅,WANG@example.cn,,,\n,x@example.cn,,,\n';

  test('reports the result per line, and a dry run stores nothing', async () => {
    const expected = [
      { line: 2, name: '王芳', email: 'wang@example.cn', result: 'added', field: null, code: null },
      { line: 3, name: '李雷', email: '坏的', result: 'refused', field: 'email', code: 'not_an_email' },
      { line: 4, name: '韩梅', email: 'WANG@example.cn', result: 'duplicate', field: null, code: null },
      { line: 5, name: '', email: 'x@example.cn', result: 'refused', field: 'name', code: 'required' },
    ];
    expect(await bring('csv', csv, true)).toEqual({ rows: expected, added: 1 });
    expect((await owner.get('/api/acc/contacts')).json()).toEqual({ data: [] });
    expect(await bring('csv', csv)).toEqual({ rows: expected, added: 1 });
    expect((await bring('csv', csv)).added).toBe(0);
    expect((await owner.get('/api/acc/contacts')).json()).toMatchObject({
      data: [{ name: '王芳', title: 'finance', phone: '13800138000', subscriptions: { billing: ['mail'], security: ['mail'] }, emailVerifiedAt: null }],
    });
    expect(await audited('contact.imported')).toMatchObject([{ after: { added: 1, duplicate: 1, refused: 2 } }]);
  });
  test('vCards; people without an address are added once', async () => {
    const card = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Anna\r\nTEL;TYPE=cell:+49 151 000000\r\nEND:VCARD\r\n';
    expect(await bring('vcard', card + card)).toMatchObject({
      added: 1,
      rows: [
        { line: 1, result: 'added' },
        { line: 6, result: 'duplicate' },
      ],
    });
    expect((await bring('vcard', card)).added).toBe(0);
  });
  test('unreadable or too large files are refused', async () => {
    const refused = async (body: object) => (await owner.send('POST', '/api/acc/contacts-import', body)).json<{ code: string; fields?: object }>();
    expect(await refused({ format: 'csv', text: 'a,b\n1,2' })).toMatchObject({ code: 'invalid_fields', fields: { text: { code: 'pattern' } } });
    expect(await refused({ format: 'vcard', text: 'hello' })).toMatchObject({ fields: { text: { code: 'pattern' } } });
    expect(await refused({ format: 'csv', text: `name\n${'x\n'.repeat(1001)}` })).toMatchObject({ code: 'too_large' });
    expect(await refused({ format: 'xls', text: '' })).toMatchObject({ code: 'invalid_fields' });
  });
});
