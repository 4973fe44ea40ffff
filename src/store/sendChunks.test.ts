import { sendFiles } from './sendChunks';
import type { UploadTarget } from './sendChunks';

type Backup = { readonly id: string; readonly stored: readonly number[] };
const backup = (...stored: number[]): Backup => ({ id: 'b', stored });
const target: UploadTarget<Backup> = { address: ({ id }, index, offset) => `/api/${id}/data?file=${index}&offset=${offset}`, stored: ({ stored }) => stored };
const answer = (status: number, body: object): Response =>
  ({ status, statusText: '', headers: { get: () => 'application/json' }, text: async () => JSON.stringify(body) }) as unknown as Response;
const file = (name: string, size: number): File => new File(['x'.repeat(size)], name);

let calls: string[];
let answers: (() => Promise<Response>)[];
const before = globalThis.fetch;
beforeEach(() => {
  calls = [];
  answers = [];
  globalThis.fetch = (async (url: string, init: RequestInit) => {
    calls.push(`${url.replace(/.*data\?/, '')} ${(init.body as Blob).size}`);
    return (answers.shift() as () => Promise<Response>)();
  }) as typeof fetch;
});
afterEach(() => {
  globalThis.fetch = before;
  jest.useRealTimers();
});

const send = (
  from: Backup,
  files: readonly File[],
  more: { onMoved?: (now: Backup) => void; onWaiting?: (waiting: boolean) => void; signal?: AbortSignal } = {},
) => sendFiles({ files, from, target, onMoved: () => undefined, onWaiting: () => undefined, signal: new AbortController().signal, ...more });

test('an upload resumes file by file where the server says', async () => {
  answers = [
    async () => answer(409, { error: 'conflict', code: 'conflict', current: backup(7, 0) }),
    async () => answer(200, { data: backup(10, 0) }),
    async () => answer(200, { data: backup(10, 3) }),
  ];
  const progressUpdates: (readonly number[])[] = [];
  const result = await send(backup(4, 0), [file('0.log', 10), file('1.log', 3)], { onMoved: ({ stored }) => progressUpdates.push(stored) });
  expect(result).toEqual({ now: backup(10, 3), failure: null });
  expect(calls).toEqual(['file=0&offset=4 6', 'file=0&offset=7 3', 'file=1&offset=0 3']);
  expect(progressUpdates).toEqual([
    [7, 0],
    [10, 0],
    [10, 3],
  ]);
});

test('a refusal is reported, not retried', async () => {
  answers = [async () => answer(413, { error: 'too large', code: 'too_large' })];
  const { failure } = await send(backup(0), [file('0.log', 3)]);
  expect([failure?.code, calls.length]).toEqual(['too_large', 1]);
});

test('a chunk is sent again when the network is back', async () => {
  answers = [async () => Promise.reject(new TypeError('offline')), async () => answer(200, { data: backup(3) })];
  const waits: boolean[] = [];
  const result = await send(backup(0), [file('0.log', 3)], {
    onWaiting: (waiting) => {
      waits.push(waiting);
      if (waiting) queueMicrotask(() => dispatchEvent(new Event('online')));
    },
  });
  expect([result.failure, waits, calls]).toEqual([null, [true, false], ['file=0&offset=0 3', 'file=0&offset=0 3']]);
});

test('an upload that is aborted when its network fails ends at once', async () => {
  jest.useFakeTimers();
  const controller = new AbortController();
  answers = [async () => Promise.reject(new TypeError('offline'))];
  const { failure } = await send(backup(0), [file('0.log', 3)], { onWaiting: () => controller.abort(), signal: controller.signal });
  expect([failure?.kind, calls.length, jest.getTimerCount()]).toEqual(['network', 1, 0]);
});

test('an aborted upload sends nothing more', async () => {
  const controller = new AbortController();
  answers = [async () => answer(200, { data: backup(3, 0) }), async () => Promise.reject(new DOMException('', 'AbortError'))];
  const { failure } = await send(backup(0, 0), [file('0.log', 3), file('1.log', 3), file('2.log', 3)], {
    onMoved: () => controller.abort(),
    signal: controller.signal,
  });
  expect([failure?.kind, calls.length]).toEqual(['aborted', 2]);
});
