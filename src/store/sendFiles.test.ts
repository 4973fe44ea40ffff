import { chunkStored, fakeServer, uploadState } from '../../test/support/fakeServer';
import type { Answer } from '../../test/support/fakeServer';
import { sendFiles } from './sendFiles';

const part = 4 * 2 ** 20;
let server: ReturnType<typeof fakeServer> | undefined;
afterEach(() => server?.restore());

/** Files of these sizes, of which as much is known to be stored. */
const filesOf = (...files: readonly (readonly [size: number, stored: number])[]) =>
  files.map(([size, stored], index) => ({ file: new File([new Uint8Array(size)], `${index}.log`), address: `/api/b/files/${index}`, stored }));
const serve = (answers: Record<string, Answer>): void => {
  server = fakeServer(answers);
};
/** The offsets at which chunks of a file were sent. */
const offsets = (file: number) => server?.calls(`PATCH /api/b/files/${file}`).map(({ headers }) => headers.get('upload-offset'));
const send = (
  files: ReturnType<typeof filesOf>,
  more: { onStored?: (file: number, bytes: number) => void; onWaiting?: (waiting: boolean) => void; signal?: AbortSignal } = {},
) => sendFiles(files, { onStored: () => undefined, onWaiting: () => undefined, signal: new AbortController().signal, ...more });

test('an upload resumes file by file where the server says', async () => {
  const chunks = [chunkStored(7 + part), chunkStored(part + 10)];
  serve({
    'HEAD /api/b/files/0': uploadState(7, part + 10),
    'PATCH /api/b/files/0': () => chunks.shift() ?? { error: 'too much', status: 500 },
    'HEAD /api/b/files/1': uploadState(0, 3),
    'PATCH /api/b/files/1': chunkStored(3),
  });
  const progress: (readonly [number, number])[] = [];
  const failure = await send(filesOf([part + 10, 4], [3, 0], [5, 5]), { onStored: (file, bytes) => progress.push([file, bytes]) });
  expect([failure, offsets(0), offsets(1)]).toEqual([null, ['7', String(7 + part)], ['0']]);
  expect(new Map(progress)).toEqual(
    new Map([
      [0, part + 10],
      [1, 3],
    ]),
  );
});

test('a refusal is reported, not retried', async () => {
  serve({ 'HEAD /api/b/files/0': uploadState(0, 3), 'PATCH /api/b/files/0': { error: 'too large', status: 413, code: 'too_large' } });
  const failure = await send(filesOf([3, 0]));
  expect([failure?.code, failure?.message, offsets(0)]).toEqual(['too_large', 'too large', ['0']]);
});

test('a chunk is sent again when the network is back', async () => {
  const answers: Answer[] = [{ network: true }, chunkStored(3)];
  serve({ 'HEAD /api/b/files/0': uploadState(0, 3), 'PATCH /api/b/files/0': () => answers.shift() ?? { network: true } });
  const waits: boolean[] = [];
  const failure = await send(filesOf([3, 0]), {
    onWaiting: (waiting) => {
      waits.push(waiting);
      if (waiting) queueMicrotask(() => dispatchEvent(new Event('online')));
    },
  });
  expect([failure, waits, offsets(0)]).toEqual([null, [true, false], ['0', '0']]);
});

test('what another tab has sent is not sent again', async () => {
  const states = [uploadState(0, 3), uploadState(3, 3)];
  serve({ 'HEAD /api/b/files/0': () => states.shift() ?? { network: true }, 'PATCH /api/b/files/0': { error: 'elsewhere', status: 409, code: 'conflict' } });
  const sending = send(filesOf([3, 0]));
  await new Promise((resolve) => setTimeout(resolve, 50));
  dispatchEvent(new Event('online'));
  expect([await sending, offsets(0)]).toEqual([null, ['0']]);
});

test('an aborted upload sends nothing more', async () => {
  const controller = new AbortController();
  serve({ 'HEAD /api/b/files/0': uploadState(0, 3), 'PATCH /api/b/files/0': chunkStored(3), 'HEAD /api/b/files/1': uploadState(0, 3) });
  const failure = await send(filesOf([3, 0], [3, 0]), { onStored: () => controller.abort(), signal: controller.signal });
  expect([failure?.kind, offsets(0), offsets(1)]).toEqual(['aborted', ['0'], []]);
});

test('an upload that is aborted while the network is down ends at once', async () => {
  const controller = new AbortController();
  serve({ 'HEAD /api/b/files/0': { network: true } });
  const failure = await send(filesOf([3, 0]), { onWaiting: () => controller.abort(), signal: controller.signal });
  expect(failure?.kind).toBe('network');
});
