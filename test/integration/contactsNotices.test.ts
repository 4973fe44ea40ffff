import { randomUUID } from 'node:crypto';
import type { Contact } from '../../contract/contacts/schemas';
import { notifyContacts } from '../../server/areas/contacts';
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
const { add, write, read, verified, health, waiting, messages, audited } = contactCalls(() => ({ t, owner }));

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
    const contact = await add(contactInput);
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
    const contact = await add(contactInput);
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
    await add(contactInput);
    const answer = await use(token);
    expect(answer.json()).toMatchObject(token === '' ? { code: 'invalid_fields' } : { code: 'link_ended' });
  });
  test('is limited to five an hour and needs an address', async () => {
    const contact = await add(contactInput);
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
    await add({ ...contactInput, subscriptions: { uptime: ['mail'], security: ['mail'] }, quietHours: { timeZone: 'UTC', from: around(-1), to: around(2) } });
    await verified();
    await tell('uptime');
    await tell('security');
    const [uptime, security] = await messages();
    expect(new Date(uptime?.notBefore ?? 0).toISOString().slice(11, 19)).toBe(`${around(2)}:00`);
    expect(security?.notBefore).toEqual(security?.createdAt);
  });
  test('a link in the mail unsubscribes repeatedly, except from security', async () => {
    const contact = await add({ ...contactInput, subscriptions: { uptime: ['mail', 'webhook'], billing: ['mail'], security: ['mail'] }, quietHours: null });
    await verified();
    for (const topic of ['uptime', 'billing', 'security'] as const) await tell(topic);
    const links = (await messages()).filter((row) => row.channel === 'mail').map((row) => row.content.unsubscribeUrl as string | undefined);
    expect(links.map((one) => one?.startsWith(`${t.ctx.config.publicUrl}/sign/contact#t=u.`))).toEqual([true, true, undefined]);
    const use = (link = '') => t.browser().send('POST', '/api/acc/sign/contact', { token: link.split('#t=')[1] });
    for (let i = 0; i < 2; i += 1) expect((await use(links[0])).json()).toEqual({ data: { kind: 'unsubscribe', email: contactInput.email, topic: 'uptime' } });
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
    await add({ ...contactInput, quietHours: null });
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

describe('security notices', () => {
  const securitySubjects = async () =>
    (await messages()).filter((row) => row.kind === 'contact.security').map((row) => (row.content as { subject: string }).subject);
  beforeEach(async () => {
    await add({ ...contactInput, subscriptions: { security: ['mail'] }, webhook: null });
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
