import { randomUUID } from 'node:crypto';
import type { Contact, ImportedContact } from '../../contract/contacts/schemas';
import { notifyContacts } from '../../server/areas/contacts';
import { contacts } from '../../server/areas/contacts/schema';
import { outbox } from '../../server/mail/schema';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
const smtpUrl = 'smtp://127.0.0.1:9';
const config = { smtpUrl, mailFrom: 'Sitewright <console@example.com>' };
beforeEach(async () => {
  t = await makeTestApp({ config });
  owner = await t.signUpOwner();
});
afterEach(() => t.close());

const full = {
  name: '王芳',
  company: '茶馆',
  title: 'finance',
  email: 'wang@example.cn',
  phone: '+86 138-0013-8000',
  wechat: 'wangfang',
  address: '杭州市西湖区',
  kinds: ['billing'],
  locale: 'zh-CN',
  siteIds: null,
  subscriptions: { billing: ['mail'], security: ['mail', 'webhook'] },
  webhook: 'https://hooks.example.com/x',
  quietHours: { timeZone: 'Asia/Shanghai', from: '22:00', to: '08:00' },
  note: '周一至周五',
} as const;
const add = async (body: object, by: Browser = owner) => (await by.send('POST', '/api/acc/contacts', body)).json<{ data: Contact }>().data;
const write = (method: 'PUT' | 'PATCH', { id, revision }: Contact, body: object) =>
  owner.send(method, `/api/acc/contacts/${id}`, body, { 'if-match': `"${revision}"` });
const read = async (id: string, by: Browser = owner) => (await by.get(`/api/acc/contacts/${id}`)).json<{ data: Contact }>().data;
const merge = (into: Contact, from: string) => owner.send('POST', `/api/acc/contacts/${into.id}/merge`, { from }, { 'if-match': `"${into.revision}"` });
const verified = async () => void (await t.ctx.postgres.db.update(contacts).set({ emailVerifiedAt: new Date(t.ctx.now()) }));
const health = async () =>
  (await owner.get('/api/acc/contact-health')).json<{ data: { mail: boolean; unheard: string[]; waiting: number; failed: number } }>().data;
const waiting = () => t.ctx.postgres.db.select().from(outbox).orderBy(outbox.createdAt);
/** The messages in the outbox, unsealed. */
const messages = async () =>
  (await waiting()).map((row) => ({ ...row, content: JSON.parse(t.ctx.secrets.open('outbox', row.message)) as Record<string, unknown> }));
const audited = async (action: string) =>
  (
    await t.ctx.postgres.pool.query<{ target_name: string | null; before: object | null; after: object | null }>(
      'select * from audit_log where action = $1 order by id',
      [action],
    )
  ).rows;

describe('one contact', () => {
  test('PATCH merges, PUT replaces', async () => {
    const contact = await add(full);
    expect(contact).toMatchObject({ ...full, phone: '+8613800138000', revision: 1, emailVerifiedAt: null });
    const patched = (await write('PATCH', contact, { note: '周末' })).json<{ data: Contact }>().data;
    expect(patched).toMatchObject({ ...full, phone: '+8613800138000', note: '周末', revision: 2 });
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
    const contact = await add(full);
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
    const contact = await add(full);
    const answers = await Promise.all([write('PATCH', contact, { note: 'a' }), write('PATCH', contact, { note: 'b' })]);
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([200, 409]);
  });
  test('an address belongs to one contact, whom the refusal names', async () => {
    const first = await add(full);
    const second = await add({ name: '李' });
    const emailTaken = { code: 'email_taken', fields: { email: { code: 'taken' } }, current: { id: first.id, name: '王芳' } };
    expect((await owner.send('POST', '/api/acc/contacts', { name: '赵', email: 'Wang@Example.cn' })).json()).toMatchObject(emailTaken);
    expect((await write('PATCH', second, { email: 'wang@example.cn' })).json()).toMatchObject(emailTaken);
    expect((await audited('contact.added')).map((row) => row.target_name)).toEqual(['王芳', '李']);
  });
  test('a changed address must be verified again', async () => {
    const contact = await add(full);
    await verified();
    const same = (await write('PUT', contact, full)).json<{ data: Contact }>().data;
    expect(same.emailVerifiedAt).not.toBeNull();
    expect((await write('PATCH', same, { email: 'new@example.cn' })).json<{ data: Contact }>().data.emailVerifiedAt).toBeNull();
  });
  test('refuses a new webhook at a private address', async () => {
    const refused = async (webhook: string) => (await owner.send('POST', '/api/acc/contacts', { ...full, webhook })).json<{ fields?: unknown }>().fields;
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
    const contact = await add(full);
    expect((await write('PATCH', contact, { webhook: 'http://192.168.1.4/' })).json()).toMatchObject({ fields: { webhook: { code: 'reserved' } } });
    await t.ctx.postgres.db.update(contacts).set({ webhook: 'http://192.168.1.4/' });
    expect((await write('PUT', contact, { ...full, note: 'a', webhook: 'http://192.168.1.4/' })).statusCode).toBe(200);
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
    const contact = await add(full);
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
    const contact = await add(full);
    expect(contact.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    const renamed = (await write('PUT', contact, { ...full, name: '王' })).json<{ data: Contact }>().data;
    expect(renamed.webhookSecret).toBe(contact.webhookSecret);
    const moved = (await write('PATCH', renamed, { webhook: 'https://other.example.com/' })).json<{ data: Contact }>().data;
    expect(moved.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    expect(moved.webhookSecret).not.toBe(contact.webhookSecret);
    expect((await write('PATCH', moved, { webhook: null })).json<{ data: Contact }>().data).toMatchObject({ webhook: null, webhookSecret: null });
  });
  test('is sealed in the database and never in the audit log', async () => {
    const shownSecret = (await add(full)).webhookSecret ?? '';
    const webhookSecret = Buffer.from(shownSecret.slice('whsec_'.length), 'base64').toString();
    const stored = await t.ctx.postgres.pool.query('select webhook_secret from contacts');
    expect(JSON.stringify(stored.rows)).not.toContain(webhookSecret);
    expect(JSON.stringify((await t.ctx.postgres.pool.query('select * from audit_log')).rows)).not.toContain(webhookSecret);
  });
});

describe('confirming an address', () => {
  const ask = (id: string) => owner.send('POST', `/api/acc/contacts/${id}/verify`);
  const tokenOf = (url: string) => url.split('#t=')[1] ?? '';
  const state = async (token: string) => t.browser().send('POST', '/api/acc/sign/contact-state', { token });
  const use = async (token: string) => t.browser().send('POST', '/api/acc/sign/contact', { token });

  /** Requests a confirmation with mail enabled, and returns the token of the mail. */
  async function mailedToken(id: string): Promise<string> {
    const answer = await ask(id);
    expect(answer.json()).toMatchObject({ data: { url: null, mailed: true } });
    const letters = (await messages()).map(({ content }) => content as { to?: string; action?: { url: string } });
    const url = letters.at(-1)?.action?.url ?? '';
    expect(url.startsWith(`${t.ctx.config.publicUrl}/sign/contact#t=`)).toBe(true);
    expect(answer.body).not.toContain(tokenOf(url));
    return tokenOf(url);
  }

  test('the link is only mailed and confirms once', async () => {
    const contact = await add(full);
    const token = await mailedToken(contact.id);
    expect((await messages())[0]?.content).toMatchObject({ to: 'wang@example.cn' });
    expect((await state(token)).json()).toEqual({ data: { kind: 'verify', email: 'wang@example.cn', topic: null } });
    const answers = await Promise.all([use(token), use(token)]);
    expect(answers.map((a) => a.statusCode).sort((a, b) => a - b)).toEqual([200, 410]);
    expect(await read(contact.id)).toMatchObject({ emailVerifiedAt: expect.any(String), revision: 2 });
    expect((await state(token)).statusCode).toBe(410);
    expect(await audited('contact.verified')).toHaveLength(1);
    expect((await ask(contact.id)).json()).toMatchObject({ code: 'conflict' });
  });
  test('confirms only its own address and ends after a day', async () => {
    const contact = await add(full);
    const first = await mailedToken(contact.id);
    const changed = (await write('PATCH', contact, { email: 'other@example.cn' })).json<{ data: Contact }>().data;
    expect(await waiting()).toHaveLength(0);
    expect((await use(first)).statusCode).toBe(410);
    const second = await mailedToken(changed.id);
    t.pass(24 * 3_600_000 + 1000);
    expect((await use(second)).statusCode).toBe(410);
  });
  test.each([
    '',
    'x',
    'u.x',
    'u.e92c35be-45e2-43b3-84f7-5637d68f295b.security.aaaa',
    'u.e92c35be-45e2-43b3-84f7-5637d68f295b.uptime.aaaa',
    'a'.repeat(43),
    "' or 1=1 --",
    'ü\u0000',
  ])('a wrong link %j is refused', async (token) => {
    await add(full);
    const answer = await use(token);
    expect(answer.json()).toMatchObject(token === '' ? { code: 'invalid_fields' } : { code: 'link_ended' });
  });
  test('is limited to five an hour and needs an address', async () => {
    const contact = await add(full);
    for (let i = 0; i < 5; i += 1) expect((await ask(contact.id)).statusCode).toBe(200);
    expect((await ask(contact.id)).json()).toMatchObject({ code: 'too_many_requests' });
    expect((await ask((await add({ name: 'x' })).id)).json()).toMatchObject({ code: 'conflict' });
    expect((await ask(randomUUID())).statusCode).toBe(404);
  });
});

describe('notifying contacts', () => {
  const noticeMessage = (locale: string) => ({
    subject: locale === 'en' ? 'Down' : '打不开',
    paragraphs: ['p'],
    facts: [{ label: 'a', value: 'b' }],
    action: { label: 'l', url: 'https://c.example/x' },
  });
  const tell = (topic: 'uptime' | 'security' | 'billing', site?: { id: string; name: string }) =>
    notifyContacts(t.ctx, t.ctx.postgres.db, { topic, message: noticeMessage, ...(site && { site }) });
  const to = async () => (await messages()).map((row) => row.recipient);

  test('reaches subscribers by their channels and language, if confirmed', async () => {
    await add({ name: 'a', email: 'a@example.com', subscriptions: { uptime: ['mail'] } });
    await add({ name: 'b', email: 'b@example.com', locale: 'en', subscriptions: { uptime: ['mail', 'webhook'] }, webhook: 'https://hooks.example.com/b' });
    await add({ name: 'c', email: 'c@example.com', subscriptions: { billing: ['mail'] } });
    await verified();
    await add({ name: 'd', email: 'd@example.com', subscriptions: { uptime: ['mail'] } });
    await add({ name: 'e', subscriptions: { uptime: ['webhook'] } });
    expect(await tell('uptime')).toBe(3);
    const sent = await messages();
    const subjectOf = ({ subject, body }: Record<string, unknown>) => subject ?? (JSON.parse(body as string) as { subject: string }).subject;
    expect(Object.fromEntries(sent.map((row) => [row.recipient, subjectOf(row.content)]))).toEqual({
      'a@example.com': '打不开',
      'b@example.com': 'Down',
      'https://hooks.example.com/b': 'Down',
    });
  });
  test('contacts limited to sites are notified of those only', async () => {
    const [mine, other] = [await t.makeSite(owner), await t.makeSite(owner)];
    await add({ name: 'all', email: 'all@example.com', subscriptions: { uptime: ['mail'] } });
    await add({ name: 'some', email: 'some@example.com', siteIds: [mine.id], subscriptions: { uptime: ['mail'] } });
    await verified();
    await tell('uptime', mine);
    expect((await to()).sort()).toEqual(['all@example.com', 'some@example.com']);
    await tell('uptime', other);
    await tell('uptime');
    expect((await to()).filter((one) => one === 'some@example.com')).toHaveLength(1);
  });
  test('quiet hours delay notices except security', async () => {
    const hour = new Date(t.ctx.now()).getUTCHours();
    const around = (h: number) => `${String((hour + h + 24) % 24).padStart(2, '0')}:00`;
    await add({ ...full, subscriptions: { uptime: ['mail'], security: ['mail'] }, quietHours: { timeZone: 'UTC', from: around(-1), to: around(2) } });
    await verified();
    await tell('uptime');
    await tell('security');
    const [uptime, security] = await messages();
    expect(new Date(uptime?.notBefore ?? 0).toISOString().slice(11, 19)).toBe(`${around(2)}:00`);
    expect(security?.notBefore).toEqual(security?.createdAt);
  });
  test('a link in the mail unsubscribes repeatedly, except from security', async () => {
    const contact = await add({ ...full, subscriptions: { uptime: ['mail', 'webhook'], billing: ['mail'], security: ['mail'] }, quietHours: null });
    await verified();
    for (const topic of ['uptime', 'billing', 'security'] as const) await tell(topic);
    const links = (await messages()).filter((row) => row.channel === 'mail').map((row) => row.content.unsubscribeUrl as string | undefined);
    expect(links.map((one) => one?.startsWith(`${t.ctx.config.publicUrl}/sign/contact#t=u.`))).toEqual([true, true, undefined]);
    const use = (link = '') => t.browser().send('POST', '/api/acc/sign/contact', { token: link.split('#t=')[1] });
    for (let i = 0; i < 2; i += 1) expect((await use(links[0])).json()).toEqual({ data: { kind: 'unsubscribe', email: full.email, topic: 'uptime' } });
    await use(links[1]);
    expect((await read(contact.id)).subscriptions).toEqual({ uptime: ['webhook'], security: ['mail'] });
    expect(await audited('contact.unsubscribed')).toHaveLength(2);
    const forged = (links[0] ?? '').replace('uptime', 'security');
    expect((await use(forged)).json()).toMatchObject({ code: 'link_ended' });
    expect((await use(`${links[0]?.slice(0, -1)}é`)).json()).toMatchObject({ code: 'link_ended' });
    await write('PATCH', await read(contact.id), { email: 'new@example.com' });
    expect((await use(links[0])).json()).toMatchObject({ code: 'link_ended' });
  });
  test('a rolled back transaction sends nothing', async () => {
    await add({ ...full, quietHours: null });
    await verified();
    await t.ctx.postgres.db
      .transaction(async (tx) => {
        expect(await notifyContacts(t.ctx, tx, { topic: 'billing', message: noticeMessage })).toBe(1);
        throw new Error('taken back');
      })
      .catch(() => undefined);
    expect(await waiting()).toEqual([]);
  });
});

test('health lists topics without recipients and pending messages', async () => {
  const all = ['notice', 'security', 'certificate', 'filing', 'uptime', 'crawl', 'support', 'billing'];
  expect(await health()).toEqual({ mail: true, unheard: all, waiting: 0, failed: 0 });
  const site = await t.makeSite(owner);
  await add({ name: 'some', email: 'some@example.com', siteIds: [site.id], subscriptions: { uptime: ['mail'], security: ['mail'] } });
  expect((await health()).unheard).toEqual(all);
  await verified();
  expect((await health()).unheard).toEqual(all.filter((topic) => topic !== 'uptime'));
  await add({ name: 'hook', subscriptions: { security: ['webhook'] }, webhook: 'https://hooks.example.com/x' });
  expect((await health()).unheard).not.toContain('security');
  await notifyContacts(t.ctx, t.ctx.postgres.db, { topic: 'security', message: () => ({ subject: 's', paragraphs: [] }) });
  expect(await health()).toMatchObject({ waiting: 1, failed: 0 });
});

describe('merging', () => {
  test('fills missing values, joins lists and removes the other contact', async () => {
    const targetContact = await add({ name: '王芳', company: '茶馆', subscriptions: { billing: ['mail'] }, siteIds: null, note: 'a' });
    const other = await add({ ...full, subscriptions: { billing: ['webhook'], uptime: ['mail'] }, note: 'b' });
    await verified();
    const answer = (await merge(targetContact, other.id)).json<{ data: Contact }>().data;
    expect(answer).toMatchObject({
      id: targetContact.id,
      email: 'wang@example.cn',
      emailVerifiedAt: expect.any(String),
      title: 'finance',
      phone: '+8613800138000',
      subscriptions: { billing: ['mail', 'webhook'], uptime: ['mail'] },
      webhook: full.webhook,
      webhookSecret: other.webhookSecret,
      note: 'a\nb',
      revision: 2,
    });
    expect((await owner.get(`/api/acc/contacts/${other.id}`)).statusCode).toBe(404);
    expect(await audited('contact.merged')).toMatchObject([{ target_name: '王芳', before: { removed: '王芳' }, after: { email: 'wang@example.cn' } }]);
  });
  test('a contact’s own address stays unconfirmed', async () => {
    const other = await add(full);
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

describe('security notices', () => {
  const securitySubjects = async () =>
    (await messages()).filter((row) => row.kind === 'contact.security').map((row) => (row.content as { subject: string }).subject);
  beforeEach(async () => {
    await add({ ...full, subscriptions: { security: ['mail'] }, webhook: null });
    await verified();
  });
  const revisionOf = async (id: string) =>
    (await t.ctx.postgres.pool.query<{ revision: number }>('select revision from users where id = $1', [id])).rows[0]?.revision ?? 0;
  const makeIt = async (id: string, role: string) => owner.send('PATCH', `/api/acc/users/${id}`, { role }, { 'if-match': `"${await revisionOf(id)}"` });

  test('cover new managers and owners, not demotions', async () => {
    const person = await t.makePerson('member');
    expect((await makeIt(person.userId, 'manager')).statusCode).toBe(200);
    expect((await makeIt(person.userId, 'member')).statusCode).toBe(200);
    expect(await securitySubjects()).toEqual(['有人成为管理员']);
  });
  test('cover a second factor that was reset', async () => {
    const person = await t.makePerson('member');
    expect((await owner.send('POST', `/api/acc/users/${person.userId}/reset-second-factor`)).statusCode).toBe(200);
    expect(await securitySubjects()).toEqual(['有账号的两步验证被重置']);
  });
  test('cover many failed sign-ins, once', async () => {
    for (let i = 0; i < 12; i += 1) await t.browser().send('POST', '/api/acc/sign/in', { login: owner.loginName, password: 'wrong' });
    expect(await securitySubjects()).toEqual(['有账号被多次尝试登录']);
  });
});
