import type { Import } from '@contract/imports/schemas';
import { inOrderOf, sendFiles } from './upload';

const it = (stored: number[], sizes: number[]): Import =>
  ({ id: 'i', files: sizes.map((size, n) => ({ name: `${n}.log`, size, stored: stored[n] ?? 0 })) }) as unknown as Import;
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
afterEach(() => void (globalThis.fetch = before));

test('an upload resumes file by file where the server says', async () => {
  answers = [
    async () => answer(409, { error: 'conflict', code: 'conflict', current: it([7, 0], [10, 3]) }),
    async () => answer(200, { data: it([10, 0], [10, 3]) }),
    async () => answer(200, { data: it([10, 3], [10, 3]) }),
  ];
  const progressUpdates: number[][] = [];
  const failure = await sendFiles(
    's',
    it([4, 0], [10, 3]),
    [file('0.log', 10), file('1.log', 3)],
    (now) => progressUpdates.push(now.files.map((one) => one.stored)),
    new AbortController().signal,
  );
  expect(failure).toBeNull();
  expect(calls).toEqual(['file=0&offset=4 6', 'file=0&offset=7 3', 'file=1&offset=0 3']);
  expect(progressUpdates.at(-1)).toEqual([10, 3]);
});

test('a refusal is reported, not retried', async () => {
  answers = [async () => answer(413, { error: 'too large', code: 'too_large' })];
  const failure = await sendFiles('s', it([0], [3]), [file('0.log', 3)], () => undefined, new AbortController().signal);
  expect([failure?.code, calls.length]).toEqual(['too_large', 1]);
});

test('only the same files resume an upload, in any order', () => {
  const begun = it([1, 0], [4, 5]);
  expect(inOrderOf(begun, [file('1.log', 5), file('0.log', 4)])?.map((one) => one.name)).toEqual(['0.log', '1.log']);
  expect(inOrderOf(begun, [file('1.log', 5), file('0.log', 3)])).toBeNull();
});
