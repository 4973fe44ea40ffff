import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { addressFactor, streamLimits, visitorLimits, visitorSizes } from '../../contract/support/visitors';
import type { ConversationResponse } from '../../contract/support/visitors';
import { supportConversations, supportMessages } from '../../server/areas/support/schema';

import { until } from '../support/until';
import { makeVisitorsFixture, solve } from './supportVisitorsFixture';
import type { VisitorsFixture } from './supportVisitorsFixture';

/** Visitors of customer service who ask for much, read nothing, or are many behind one address. */

const host = 'load.localhost';
let v: VisitorsFixture;

beforeAll(async () => {
  v = await makeVisitorsFixture(host);
}, 60_000);
afterAll(() => v.t.close());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** Stores messages of an agent without the cost of sending them. */
async function store(id: string, texts: readonly string[]): Promise<void> {
  const { db } = v.t.ctx.postgres;
  const first = ((await v.rowOf(id))?.version ?? 0) + 1;
  const rows = texts.map(
    (body, n) => ({ conversationId: id, seq: first + n, version: first + n, siteId: v.site.id, author: 'agent', kind: 'text', body, at: new Date() }) as const,
  );
  for (let at = 0; at < rows.length; at += 500) await db.insert(supportMessages).values(rows.slice(at, at + 500));
  const version = first + texts.length - 1;
  await db.update(supportConversations).set({ version, messages: version }).where(eq(supportConversations.id, id));
}

test('a backlog of several events and pages arrives in order', async () => {
  const visitor = await v.makeVisitor();
  const { conversation } = await visitor.begin('0');
  const long = numbers(2 * streamLimits.event.messages + 1).map((n) => `${String(n + 1)} ${'字'.repeat(3900)}`);
  await store(conversation.id, long);
  const { texts, last } = await v.readStream(`conversations/${conversation.id}/events`, { 'x-visitor': visitor.token }, long.length + 1);
  expect(texts).toEqual(['0', ...long]);
  // The same by polling, after an outage in which more came than one page has.
  const short = numbers(2 * visitorSizes.page + 1).map(String);
  await store(conversation.id, short);
  const polled: string[] = [];
  for (let after = last, more = true; more;) {
    const page = (await visitor.get(`conversations/${conversation.id}/messages?after=${after}`)).data as ConversationResponse;
    polled.push(...page.messages.map(({ text }) => text));
    [after, more] = [String(page.version), page.more];
  }
  expect(polled).toEqual(short);
}, 30_000);

test('a visitor who reads nothing costs bounded memory and is disconnected, and resumes', async () => {
  const visitor = await v.makeVisitor();
  const { conversation } = await visitor.begin('0');
  // More than the buffers of the system take.
  const texts = numbers(700).map((n) => `${String(n)} ${'字'.repeat(3900)}`);
  await store(conversation.id, texts);
  const socket = connect((v.t.delivery.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const opened = once(v.t.delivery.server, 'connection');
  socket.write(`GET /_cs/conversations/${conversation.id}/events?s=${v.site.id} HTTP/1.1\r\nhost: ${host}\r\nx-visitor: ${visitor.token}\r\n\r\n`);
  socket.pause();
  const [server] = (await opened) as [typeof socket];
  await until(() => server.writableNeedDrain);
  const waiting = server.writableLength;
  expect(waiting).toBeLessThan(streamLimits.bytes);
  // Typing agents go on; the reader does not.
  const typing = { type: 'supportTyping', siteId: v.site.id, conversationId: conversation.id } as const;
  for (const n of numbers(4000)) v.t.ctx.live.publish({ ...typing, userId: String(n) });
  await until(() => server.destroyed);
  expect(server.bytesWritten).toBeLessThan(Buffer.byteLength(texts.join()));
  const rest = await visitor.get(`conversations/${conversation.id}/messages?after=1`);
  expect((rest.data as ConversationResponse).messages[0]?.text).toBe(texts[0]);
  socket.destroy();
}, 30_000);

test('an address has as many streams as an office, and those beyond poll', async () => {
  const office = '192.0.2.9';
  const [first, last, elsewhere] = [await v.makeVisitor(office), await v.makeVisitor(office), await v.makeVisitor()];
  const [one, other, third] = [await first.begin('一'), await last.begin('二'), await elsewhere.begin('三')];
  const limits: { perAddress: number } = streamLimits;
  const most = jest.replaceProperty(limits, 'perAddress', 1);
  const path = (of: ConversationResponse) => `conversations/${of.conversation.id}/events`;
  const header = { 'x-forwarded-for': office, 'x-visitor': first.token };
  await v.readStream(path(one), header, 1, async () => {
    const refused = await last.get(path(other));
    expect([refused.status, refused.headers['retry-after'], refused.body['code']]).toEqual([429, String(streamLimits.retryAfter), 'too_many_requests']);
    expect((await last.get(`conversations/${other.conversation.id}/messages?after=0`)).status).toBe(200);
    await v.readStream(path(third), { 'x-visitor': elsewhere.token }, 1);
  });
  // A stream that ends makes room.
  await until(async () => (await v.readStream(path(other), { ...header, 'x-visitor': last.token }, 1).catch(() => null)) !== null);
  most.restore();
}, 30_000);

test('an address that calls too often gets a task before anything is read', async () => {
  const address = '192.0.2.10';
  const visitor = await v.makeVisitor(address);
  const { conversation } = await visitor.begin('你好');
  const path = `conversations/${conversation.id}/messages`;
  const callWith = (n: number) => v.call(path, undefined, { method: 'GET', address, headers: { 'x-visitor': String(n).padStart(43, '0') } });
  const query = jest.spyOn(v.t.ctx.postgres.pool, 'query');
  const points = 2;
  const limit: { points: number } = visitorLimits.calls;
  const fewer = jest.replaceProperty(limit, 'points', points);
  // Two calls of the visitor came before; tokens that somebody makes up each cost a look-up until the limit.
  for (const n of numbers(points * addressFactor - 1)) expect((await callWith(n)).status).toBe(404);
  query.mockClear();
  const refused = await callWith(0);
  expect([refused.status, query.mock.calls.length]).toEqual([429, 0]);
  query.mockRestore();
  fewer.restore();
  const others = await visitor.get(path, { 'x-challenge': solve(String(refused.body['task'])) });
  expect((others.data as ConversationResponse).messages.map(({ text }) => text)).toEqual(['你好']);
  expect((await (await v.makeVisitor()).get(path)).status).toBe(404);
}, 30_000);

test('a page view without a conversation reads nothing from PostgreSQL', async () => {
  await v.configure(v.site, { needsAgent: true });
  const visitor = await v.makeVisitor();
  await until(async () => (await visitor.hello()).config.availability === 'away');
  const { pool } = v.t.ctx.postgres;
  const query = jest.spyOn(pool, 'query');
  for (const _ of numbers(3)) await visitor.hello();
  expect(query.mock.calls).toEqual([]);
  query.mockRestore();
  // A change acts at once.
  await v.configure(v.site, { needsAgent: true, texts: { 'zh-Hans': { title: '茶' } } });
  await until(async () => (await visitor.hello()).config.texts.title === '茶');
});
