import type { ApiFailure } from '@/lib/failure';
import { makeOutgoing } from './outgoing';
import { makeOutgoingStore } from './outgoingStore';
import { clearDrafts } from '@/lib/clearDrafts';
import { forgetOldReplyDrafts, readReplyDraft, storeReplyDraft } from './replyDrafts';
import { partsOf } from './links';
import { typedShortcut } from './shortcut';

const network: ApiFailure = { kind: 'network', method: 'POST', url: '/x', status: 0, message: '' };
const refused: ApiFailure = { kind: 'api', method: 'POST', url: '/x', status: 422, code: 'invalid_fields', message: 'Too long' };

/** A browser with storage and a clock, and a server that a test lets answer. */
function makeBrowser() {
  const stored = new Map<string, string>();
  const timers: (() => void)[] = [];
  const requests: { readonly clientId: string; readonly answer: (failure: ApiFailure | null | Error) => Promise<void> }[] = [];
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    key: (at: number) => [...stored.keys()][at] ?? null,
    get length() {
      return stored.size;
    },
  };
  const open = () =>
    makeOutgoing({
      stored: makeOutgoingStore(storage, 'queue:'),
      send: ({ clientId }) =>
        new Promise((resolve, reject) => {
          requests.push({
            clientId,
            answer: async (failure) => {
              if (failure instanceof Error) reject(failure);
              else resolve(failure);
              await Promise.resolve();
              await Promise.resolve();
            },
          });
        }),
      setTimer: (run) => {
        timers.push(run);
        return () => undefined;
      },
    });
  return { open, requests, stored, pass: () => timers.splice(0).forEach((run) => run()) };
}
const entry = (clientId: string, conversation = '1') => ({ clientId, siteId: 's', conversation, kind: 'text' as const, body: clientId, at: Date.now() });

test('messages of a conversation are sent one after the other, repeated with the same id', async () => {
  const { open, requests, pass } = makeBrowser();
  const queue = open();
  for (const one of ['a', 'b']) queue.add(entry(one));
  queue.add(entry('c', '2'));
  expect(requests.map(({ clientId }) => clientId)).toEqual(['a', 'c']);
  await requests[0]?.answer(network);
  expect(queue.entries()[0]?.state).toBe('waiting');
  pass();
  await requests[2]?.answer(null);
  expect(requests.map(({ clientId }) => clientId)).toEqual(['a', 'c', 'a', 'b']);
  await requests[3]?.answer(refused);
  expect(queue.entries().map(({ clientId, state, reason }) => [clientId, state, reason])).toEqual([
    ['b', 'failed', 'Too long'],
    ['c', 'sending', undefined],
  ]);
  queue.retry('b');
  expect(requests.at(-1)?.clientId).toBe('b');
});

test('a closed tab loses no message but says that a file is gone', async () => {
  const { open, requests, stored } = makeBrowser();
  const first = open();
  first.add(entry('a'));
  first.add({ ...entry('f'), body: '' }, new File(['x'], 'x.png'));
  const second = open();
  second.restore();
  expect(requests.map(({ clientId }) => clientId)).toEqual(['a', 'a']);
  await requests[1]?.answer(null);
  expect(second.entries().map(({ clientId, state }) => [clientId, state])).toEqual([['f', 'lost']]);
  second.remove('f');
  expect([...stored]).toEqual([]);
});

test('two tabs store their messages without overwriting each other’s', () => {
  const { open, requests } = makeBrowser();
  open().add(entry('a'));
  open().add(entry('b', '2'));
  const later = open();
  later.restore();
  expect(requests.map(({ clientId }) => clientId)).toEqual(['a', 'b', 'a', 'b']);
  later.forget('a');
  expect(later.entries().map(({ clientId }) => clientId)).toEqual(['b']);
});

test('a file that cannot be read does not hold up later messages', async () => {
  const { open, requests } = makeBrowser();
  const queue = open();
  queue.add({ ...entry('f'), body: '' }, new File(['x'], 'x.png'));
  queue.add(entry('a'));
  await requests[0]?.answer(new Error('The file was deleted'));
  expect(queue.entries().map(({ clientId, state }) => [clientId, state])).toEqual([
    ['f', 'lost'],
    ['a', 'sending'],
  ]);
  expect(requests.at(-1)?.clientId).toBe('a');
});

test('a stopped queue sends nothing more and leaves its messages stored', async () => {
  const { open, requests, stored, pass } = makeBrowser();
  const queue = open();
  queue.add(entry('a'));
  queue.stop();
  await requests[0]?.answer(network);
  pass();
  queue.resume();
  expect(requests).toHaveLength(1);
  expect([...stored.keys()]).toEqual(['queue:a']);
});

test('addresses in a text become links without their punctuation', () => {
  expect(partsOf('See https://tea.example/a?b=1, or（https://茶.example）。javascript:alert(1)')).toEqual([
    { text: 'See ' },
    { text: 'https://tea.example/a?b=1', href: 'https://tea.example/a?b=1' },
    { text: ', or（' },
    { text: 'https://茶.example', href: 'https://茶.example' },
    { text: '）。javascript:alert(1)' },
  ]);
});

test('a shortcut is a slash at the start with letters behind it', () => {
  expect(['/', '/发货', '/ship-2', '/ship now', 'a/b', ''].map(typedShortcut)).toEqual(['', '发货', 'ship-2', null, null, null]);
});

test('unsent replies are forgotten when they are old or somebody signs out', () => {
  const draft = { text: 'Half a sentence', note: false };
  for (const person of ['lin', 'ada']) storeReplyDraft(person, '1', draft);
  localStorage.setItem('console:draft:reply:lin:2', JSON.stringify({ ...draft, at: 0 }));
  forgetOldReplyDrafts();
  expect([Object.keys(localStorage).length, readReplyDraft('lin', '1'), readReplyDraft('lin', '2')]).toEqual([2, draft, null]);
  clearDrafts();
  expect([readReplyDraft('lin', '1'), readReplyDraft('ada', '1')]).toEqual([null, null]);
});
