import { jest } from '@jest/globals';
import { asc, eq, sql } from 'drizzle-orm';
import { users } from '../../server/areas/account/schema';
import { contacts } from '../../server/areas/contacts/schema';
import { sites } from '../../server/areas/sites/schema';
import type { MailContent } from '../../server/mail';
import { outbox } from '../../server/mail/schema';
import { DAY, HOUR, MINUTE } from '../../server/zone';
import { withMail } from '../support/mails';
import { runSchedule } from '../support/schedules';
import { makeSupportFixture } from './supportFixture';
import type { SupportFixture } from './supportFixture';

jest.setTimeout(60_000);
let f: SupportFixture;
/** A Monday, 10:00 in Shanghai. */
const monday = Date.parse('2026-11-23T02:00:00Z');
beforeAll(async () => {
  f = await makeSupportFixture({ config: { ...withMail, privateWebhooks: true }, now: () => monday });
  await f.ctx.postgres.db
    .update(users)
    .set({ email: 'agent@example.cn', emailVerifiedAt: new Date(monday), locale: 'en' })
    .where(eq(users.id, f.agent.userId));
  f.expectOk(await f.owner.send('POST', '/api/acc/contacts', { name: '值班', webhook: 'http://127.0.0.1:9/hook', subscriptions: { support: ['webhook'] } }));
  f.expectOk(await f.configure({ mode: 'builtin', replyMinutes: 30, notify: { webhook: { kind: 'json', url: 'http://127.0.0.1:9/site' } } }));
});
afterAll(() => f.program.close());

/** Mails by address and subject, webhook messages by address and body. Empties the outbox. */
async function sent(): Promise<readonly unknown[]> {
  const { db } = f.ctx.postgres;
  const rows = await db.select().from(outbox).orderBy(asc(outbox.createdAt), asc(outbox.kind));
  await db.delete(outbox);
  return rows.map(({ kind, channel, recipient, message }) => {
    const content = JSON.parse(f.ctx.secrets.open('outbox', message)) as MailContent & { readonly body: string };
    return channel === 'mail' ? [kind, recipient, content.subject] : [kind, recipient, JSON.parse(content.body) as object];
  });
}
const passTime = async (ms: number) => {
  f.program.pass(ms);
  // Two processes at once.
  await Promise.all([runSchedule(f.ctx, 'support.overdue'), runSchedule(f.ctx, 'support.overdue')]);
};
const about = (id: string, change: object) => ({
  event: 'support.overdue',
  topic: 'support',
  conversation: expect.objectContaining({ id, unread: 1, ...change }) as object,
});

test('each wait has one notice, for the agents who are there or the assignee', async () => {
  const { conversation } = await f.start(await f.visitor({ name: 'Mei' }), '有货吗？');
  await passTime(30 * MINUTE - 1);
  expect(await sent()).toEqual([]);
  f.expectOk(await f.agent.send('POST', f.at('/presence'), { viewing: null, typing: false, leaving: false }));
  const waitingSince = new Date(monday).toISOString();
  await passTime(1);
  const notices = (change: object) => [
    ['contact.support', 'http://127.0.0.1:9/hook', expect.objectContaining({ topic: 'support', subject: expect.stringContaining('Mei超过时限') as string })],
    ['support.overdue', 'agent@example.cn', expect.stringContaining('Mei has not been answered in time')],
    ['support.webhook', 'http://127.0.0.1:9/site', expect.objectContaining(about(conversation.id, change))],
  ];
  expect(await sent()).toEqual(notices({ waitingSince, assignee: null }));
  await passTime(HOUR);
  expect(await sent()).toEqual([]);
  f.expectOk(await f.reply(conversation.id, '有'));
  await f.write(conversation, '多少钱？');
  await passTime(30 * MINUTE);
  expect(await sent()).toEqual(notices({ assignee: { id: f.agent.userId, name: expect.any(String) as string } }));
});

test('an agent who is also a contact gets one mail', async () => {
  const { db } = f.ctx.postgres;
  const email = 'Agent@example.cn';
  f.expectOk(await f.owner.send('POST', '/api/acc/contacts', { name: 'Agent', email, subscriptions: { support: ['mail'] } }));
  await db
    .update(contacts)
    .set({ emailVerifiedAt: new Date(monday) })
    .where(eq(contacts.email, email));
  await sent();
  await f.start(await f.visitor(), 'Anybody there?');
  await passTime(30 * MINUTE - 1);
  f.expectOk(await f.agent.send('POST', f.at('/presence'), { viewing: null, typing: false, leaving: false }));
  await passTime(1);
  expect((await sent()).map((row) => (row as readonly unknown[]).slice(0, 2))).toEqual([
    ['contact.support', 'http://127.0.0.1:9/hook'],
    ['support.overdue', 'agent@example.cn'],
    ['support.webhook', 'http://127.0.0.1:9/site'],
  ]);
  await db.delete(contacts).where(eq(contacts.email, email));
});

test('a wait that becomes overdue while notices are off causes none later', async () => {
  f.expectOk(await f.configure({ notify: { overdue: false, contacts: false, webhook: { kind: 'json', url: 'http://127.0.0.1:9/site' } } }));
  await f.start(await f.visitor(), 'unheard');
  await passTime(HOUR);
  f.expectOk(await f.configure({ notify: { contacts: false, webhook: { kind: 'json', url: 'http://127.0.0.1:9/site' } } }));
  await passTime(HOUR);
  expect(await sent()).toEqual([]);
});

test('notices wait for the hours of the site', async () => {
  const week = [1, 2, 3, 4, 5].map((day) => ({ day, open: '09:00', close: '18:00' }));
  f.expectOk(
    await f.configure({ notify: { webhook: null }, hours: { timeZone: 'Asia/Shanghai', always: false, week, holidays: [{ date: '2026-11-24', label: '' }] } }),
  );
  // Monday, 17:45; a holiday follows, then Wednesday, 9:15.
  f.program.pass(monday + 7.75 * HOUR - f.ctx.now());
  const { conversation } = await f.start(await f.visitor(), 'late');
  expect((await f.conversation(conversation.id)).answerDueAt).toBe(new Date(monday + 2 * DAY - 45 * MINUTE).toISOString());
  await passTime(HOUR);
  await passTime(DAY);
  expect(await sent()).toEqual([]);
  await passTime(monday + 2 * DAY - 45 * MINUTE - f.ctx.now());
  expect(await sent()).toEqual([['contact.support', 'http://127.0.0.1:9/hook', expect.anything()]]);
});

test('no notice is sent for a site in the bin', async () => {
  const { db } = f.ctx.postgres;
  await f.start(await f.visitor(), 'gone');
  const move = async (state: 'deleted' | 'published') => db.update(sites).set({ state }).where(eq(sites.id, f.site.id));
  await move('deleted');
  await passTime(HOUR);
  expect(await sent()).toEqual([]);
  await move('published');
  await passTime(MINUTE);
  expect(await sent()).toHaveLength(1);
});

test('notices that fail are tried again later, and keep no others waiting', async () => {
  const { db } = f.ctx.postgres;
  await sent();
  const { conversation: first } = await f.start(await f.visitor(), 'fails');
  // As many as are read at once, all before the last one.
  await db.execute(sql`insert into support_conversations (site_id, visitor_id, client_id, number, kind, page, started_at, last_message_at, waiting_since, subject)
    select site_id, visitor_id, 'copy' || n, 1000 + n, kind, page, started_at, last_message_at, waiting_since, 'fails'
    from support_conversations, generate_series(1, 100) n where id = ${first.id}`);
  await db.execute(
    sql.raw(`create function fail_notice() returns trigger language plpgsql as $$ begin raise exception 'fails'; end $$;
    create trigger fail_notice before update of notified_wait on support_conversations for each row when (new.subject = 'fails') execute function fail_notice()`),
  );
  const attempts = jest.spyOn(f.ctx.log, 'error').mockReturnValue();
  const tried = async (ms: number): Promise<number> => {
    attempts.mockClear();
    f.program.pass(ms);
    await runSchedule(f.ctx, 'support.overdue');
    return attempts.mock.calls.length;
  };
  f.program.pass(MINUTE);
  await f.start(await f.visitor(), 'works');
  expect(await tried(29 * MINUTE)).toBe(100);
  expect(await tried(MINUTE)).toBe(100);
  expect(await sent()).toHaveLength(2);
  expect([await tried(MINUTE), await tried(MINUTE), await tried(MINUTE), await tried(MINUTE)]).toEqual([0, 100, 0, 0]);
  await db.execute(sql`drop trigger fail_notice on support_conversations`);
  expect([await tried(MINUTE), (await sent()).length]).toEqual([0, 0]);
  expect([await tried(MINUTE), (await sent()).length]).toEqual([0, 100]);
  attempts.mockRestore();
});
