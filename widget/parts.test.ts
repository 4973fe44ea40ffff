import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import type { VisitorConversation, VisitorMessage } from '../contract/support/visitors';
import { linkify } from './linkify';
import { openOutbox, pauseAfter, pauseOffline, timeAfter } from './outbox';
import type { OutboxItem } from './outbox';
import { firstWordOf, solveTask } from './sha256';
import { createEventReader } from './sse';
import type { StreamEvent } from './sse';
import { openStore } from './storage';
import { mergeMessages, newerConversation, unsentOf } from './timeline';

const message = (seq: number, more: Partial<VisitorMessage> = {}): VisitorMessage => ({
  seq,
  clientId: null,
  from: 'agent',
  text: String(seq),
  file: null,
  event: null,
  at: '2026-11-27T08:00:00.000Z',
  isEdited: false,
  isDeleted: false,
  ...more,
});
const item = (clientId: string, more: Partial<OutboxItem> = {}): OutboxItem => ({ clientId, text: clientId, at: clientId, conversation: null, ...more });

beforeEach(() => localStorage.clear());

test.each([
  ['看 https://a.example/b?c=1。好', ['看 ', 'https://a.example/b?c=1', '。好']],
  ['(https://a.example/), or http://b.example.', ['(', 'https://a.example/', '), or ', 'http://b.example', '.']],
  ['javascript:alert(1) www.a.example', ['javascript:alert(1) www.a.example']],
  ['https://', ['https://']],
])('addresses of %s are found, and nothing else', (text, parts) => {
  const found = linkify(text);
  expect(found.map((part) => part.text)).toEqual(parts);
  for (const { url } of found) expect(url === null || /^https?:\/\/./.test(url)).toBe(true);
});

test('events are read whole, wherever chunks end', () => {
  const stream = 'retry: 2000\n\nid: 7\ndata: {"a":\ndata: 1}\n\n: ping\n\ndata:x\r\n\r\nid: 8\n\ndata: y\n\n';
  const expected: StreamEvent[] = [
    { id: '7', data: '{"a":\n1}' },
    { id: null, data: 'x' },
    { id: null, data: 'y' },
  ];
  for (let size = 1; size < stream.length; size += 1) {
    const events: StreamEvent[] = [];
    const read = createEventReader((event) => events.push(event));
    for (let at = 0; at < stream.length; at += size) read(stream.slice(at, at + size));
    expect(events).toEqual(expected);
  }
});

test('the digest is that of SHA-256, and a task is solved by the first number', async () => {
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 300]) {
    const text = 'x'.repeat(length);
    expect(firstWordOf(text)).toBe(createHash('sha256').update(text).digest().readUInt32BE(0));
  }
  const number = await solveTask('task', 10);
  const isSolved = (one: number) =>
    createHash('sha256')
      .update(`task.${String(one)}`)
      .digest()
      .readUInt32BE(0) >>>
      22 ===
    0;
  expect([...Array(number + 1).keys()].filter(isSolved)).toEqual([number]);
});

test('messages are in order and once, and edits replace what they change', () => {
  const merged = mergeMessages([message(1), message(3)], [message(2), message(3, { text: 'edited' }), message(1)]);
  expect(merged.map(({ seq, text }) => [seq, text])).toEqual([
    [1, '1'],
    [2, '2'],
    [3, 'edited'],
  ]);
  expect(unsentOf([item('a'), item('b')], [message(4, { clientId: 'a' })]).map(({ clientId }) => clientId)).toEqual(['b']);
});

test('an older state of a conversation never replaces a newer one', () => {
  const state = (version: number, id = 'x'): VisitorConversation => ({
    id,
    kind: 'chat',
    isResolved: false,
    version,
    agentReadSeq: 0,
    visitorReadSeq: 0,
    unread: 0,
    rating: null,
  });
  expect(newerConversation(state(5), state(4)).version).toBe(5);
  expect(newerConversation(state(5), state(6)).version).toBe(6);
  expect(newerConversation(state(5), state(1, 'y')).id).toBe('y');
});

test('two tabs share one outbox, which lasts until the server answers', () => {
  const [one, other] = [openOutbox(openStore('s')), openOutbox(openStore('s'))];
  one.add(item('1', { start: { fields: {}, page: { url: '', title: '', referrer: '' } } }));
  other.add(item('2'));
  one.add(item('3', { conversation: 'known' }));
  expect(other.items().map(({ clientId }) => clientId)).toEqual(['1', '2', '3']);
  other.remove('1');
  other.address('new');
  expect(one.items().map(({ conversation }) => conversation)).toEqual(['new', 'known']);
  one.change('2', { refused: 'too_long' });
  expect(other.next()?.clientId).toBe('3');
  // Files stay in their tab.
  one.add(item('4', { file: new File(['a'], 'a.txt') }));
  expect([one.items().length, other.items().length]).toEqual([3, 2]);
  localStorage.setItem('_sc.s.outbox', '{');
  expect(other.items()).toEqual([]);
});

test('what is written later stays later when the clock is set back', () => {
  const written = [item('1', { at: '2026-11-27T08:00:00.000Z' }), item('2', { at: '2026-11-27T09:00:00.000Z' })];
  expect(timeAfter(written, Date.parse('2026-11-27T07:00:00Z'))).toBe('2026-11-27T09:00:00.001Z');
  expect(timeAfter(written, Date.parse('2026-11-27T10:00:00Z'))).toBe('2026-11-27T10:00:00.000Z');
});

test('attempts are further and further apart, half a minute at most', () => {
  const pauses = [1, 2, 3, 6, 50].map((failures) => [pauseAfter(failures, 0), pauseAfter(failures, 1)]);
  expect(pauses).toEqual([
    [750, 1250],
    [1500, 2500],
    [3000, 5000],
    [22_500, 37_500],
    [22_500, 37_500],
  ]);
});

test('without storage the outbox lasts as long as the page', () => {
  const set = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('QuotaExceededError');
  });
  const outbox = openOutbox(openStore('s'));
  outbox.add(item('1'));
  expect(outbox.items()).toHaveLength(1);
  set.mockRestore();
});

test('a message that no longer fits into the storage stays in its tab', () => {
  const store = openStore('s');
  const [outbox, other] = [openOutbox(store), openOutbox(openStore('s'))];
  store.onChange(() => undefined);
  outbox.add(item('1'));
  const set = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('QuotaExceededError');
  });
  outbox.add(item('2'));
  expect(outbox.items().map(({ clientId }) => clientId)).toEqual(['1', '2']);
  set.mockRestore();
  other.remove('1');
  dispatchEvent(new StorageEvent('storage', { key: '_sc.s.outbox' }));
  expect(outbox.items().map(({ clientId }) => clientId)).toContain('2');
});

test('a pause ends with the time or the connection, and leaves no listener', async () => {
  const listeners = new Set<unknown>();
  const add = jest.spyOn(globalThis, 'addEventListener').mockImplementation((_name: string, listener: unknown) => void listeners.add(listener));
  const remove = jest.spyOn(globalThis, 'removeEventListener').mockImplementation((_name: string, listener: unknown) => void listeners.delete(listener));
  await pauseOffline(1);
  const pause = pauseOffline(3_600_000);
  for (const listener of listeners) (listener as () => void)();
  await pause;
  expect([add.mock.calls.length, listeners.size]).toEqual([2, 0]);
  add.mockRestore();
  remove.mockRestore();
});
