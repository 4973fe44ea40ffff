import type { ApiFailure } from '@/lib/failure';
import { makeOutgoing } from './outgoing';
import { partsOf } from './links';
import { typedShortcut } from './shortcut';

const network: ApiFailure = { kind: 'network', method: 'POST', url: '/x', status: 0, message: '' };
const refused: ApiFailure = { kind: 'api', method: 'POST', url: '/x', status: 422, code: 'invalid_fields', message: 'Too long' };

/** A browser with storage and a clock, and a server that a test lets answer. */
function makeBrowser() {
  const stored = new Map<string, string>();
  const timers: (() => void)[] = [];
  const requests: { readonly clientId: string; readonly answer: (failure: ApiFailure | null) => Promise<void> }[] = [];
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const open = () =>
    makeOutgoing({
      storage,
      key: 'queue',
      send: ({ clientId }) =>
        new Promise((resolve) => {
          requests.push({
            clientId,
            answer: async (failure) => {
              resolve(failure);
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
const entry = (clientId: string, conversation = '1') => ({ clientId, siteId: 's', conversation, kind: 'text' as const, body: clientId, at: 0 });

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
  second.restore('The file is gone');
  expect(requests.map(({ clientId }) => clientId)).toEqual(['a', 'a']);
  await requests[1]?.answer(null);
  expect(second.entries().map(({ clientId, state, reason }) => [clientId, state, reason])).toEqual([['f', 'failed', 'The file is gone']]);
  second.remove('f');
  expect(stored.has('queue')).toBe(false);
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
