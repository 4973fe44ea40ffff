import type { Resource } from '@contract/resources/schemas';
import { resource } from '../../../../test/support/factories';
import type { ApiFailure } from '@/lib/failure';
import { makeStore } from '@/store';
import { UploadQueue } from './uploadQueue';
import type { UploadSteps } from './uploadQueue';
import { selectUploads } from './uploadsSlice';

const siteId = 'abcdefghijkl';
const failure = (change: Partial<ApiFailure>): { failure: ApiFailure } => ({
  failure: { kind: 'api', method: 'PATCH', url: '/', status: 413, message: 'Too large', ...change },
});
const file = (name: string, text = 'tea') => ({ file: new File([text], name), name, folderId: null });
const untilAborted = (signal: AbortSignal) => new Promise<{ uploadId: string }>((resolve) => signal.addEventListener('abort', () => resolve({ uploadId: '' })));

/** A queue whose steps succeed at once, unless a test replaces them. */
function start(steps: Partial<UploadSteps> = {}, parallel = 2) {
  const store = makeStore();
  const calls: string[] = [];
  const all: UploadSteps = {
    hash: (one) => Promise.resolve(one.size > 100 ? null : 'f'.repeat(64)),
    addKnown: () => Promise.resolve({ resource: null }),
    send: ({ upload }, onProgress) => {
      calls.push(`send ${upload.name}`);
      onProgress(upload.bytes);
      return Promise.resolve({ uploadId: 'u1' });
    },
    finish: ({ name }) => Promise.resolve({ resource: resource({ name }) }),
    discard: ({ upload }) => {
      calls.push(`discard ${upload.name}`);
      return Promise.resolve();
    },
    wait: () => Promise.resolve(),
    ...steps,
  };
  const list = () => selectUploads(store.getState());
  const statuses = () => list().map(({ name, status }) => `${name} ${status}`);
  return { queue: new UploadQueue(store, all, parallel), list, statuses, calls };
}
const flush = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
};

test('a file is checked, sent and becomes a resource', async () => {
  const { queue, list, calls } = start();
  queue.add(siteId, [file('a.txt')]);
  expect(list()[0]).toMatchObject({ status: 'checking', bytes: 3, sent: 0 });
  await flush();
  expect(list()[0]).toMatchObject({ status: 'done', sent: 3, resource: { kind: 'image' } });
  expect(calls).toEqual(['send a.txt']);
});

test('a file that the site has is not sent', async () => {
  const addKnown = jest.fn((): Promise<{ resource: Resource }> => Promise.resolve({ resource: resource() }));
  const { queue, statuses, calls } = start({ addKnown });
  queue.add(siteId, [file('a.txt'), { ...file('b.txt'), replaces: resource().id }, file('c.txt', 'x'.repeat(101))]);
  await flush();
  expect(statuses()).toEqual(['a.txt known', 'b.txt done', 'c.txt done']);
  expect(calls).toEqual(['send b.txt', 'send c.txt']);
  expect(addKnown).toHaveBeenCalledTimes(1);
});

test('only a few files are sent at once', async () => {
  const { queue, statuses } = start({ send: (_file, _onProgress, signal) => untilAborted(signal) });
  queue.add(
    siteId,
    ['a', 'b', 'c'].map((name) => file(name)),
  );
  await flush();
  expect(statuses()).toEqual(['a sending', 'b sending', 'c waiting']);
});

test('a paused upload lets the next one start, and can be resumed', async () => {
  const { queue, list, statuses } = start({ send: (_file, _onProgress, signal) => untilAborted(signal) }, 1);
  queue.add(siteId, [file('a'), file('b')]);
  await flush();
  const first = list()[0]?.id ?? '';
  queue.pause([first]);
  await flush();
  expect(statuses()).toEqual(['a paused', 'b sending']);
  queue.resume([first]);
  await flush();
  expect(statuses()).toEqual(['a waiting', 'b sending']);
});

test('without a connection an upload waits and goes on', async () => {
  const answers = [failure({ kind: 'network', status: 0 }), { uploadId: 'u1' }];
  let reconnect = (): void => undefined;
  const { queue, statuses } = start({
    send: () => Promise.resolve(answers.shift() ?? { uploadId: '' }),
    wait: () => new Promise((resolve) => (reconnect = resolve)),
  });
  queue.add(siteId, [file('a')]);
  await flush();
  expect(statuses()).toEqual(['a offline']);
  reconnect();
  await flush();
  expect(statuses()).toEqual(['a done']);
});

test('a refused upload can be tried again without sending it twice', async () => {
  const answers = [failure({ status: 409 }), { resource: resource() }];
  const { queue, list, statuses, calls } = start({ finish: () => Promise.resolve(answers.shift() ?? failure({})) });
  queue.add(siteId, [file('a')]);
  await flush();
  expect(list()[0]).toMatchObject({ status: 'failed', failure: { message: 'Too large' } });
  queue.resume([list()[0]?.id ?? '']);
  await flush();
  expect(statuses()).toEqual(['a done']);
  expect(calls).toEqual(['send a']);
});

test('a cancelled upload is removed from the server, a complete one is not', async () => {
  const { queue, list, statuses, calls } = start({
    send: ({ upload }, _onProgress, signal) => (upload.name === 'a' ? untilAborted(signal) : Promise.resolve({ uploadId: 'u' })),
  });
  queue.add(siteId, [file('a'), file('b')]);
  await flush();
  expect(statuses()).toEqual(['a sending', 'b done']);
  queue.cancel(list().map(({ id }) => id));
  expect(statuses()).toEqual([]);
  expect(calls).toEqual(['discard a']);
});

test('the file of an interrupted upload takes its place', async () => {
  const { queue, statuses } = start();
  const base = { siteId, sent: 0, folderId: null, replaces: null, failure: null, resource: null } as const;
  queue.addInterrupted([
    { ...base, id: 'k1', name: 'a', bytes: 3, status: 'interrupted' },
    { ...base, id: 'k2', name: 'b', bytes: 9, status: 'interrupted' },
  ]);
  queue.add(siteId, [file('a'), file('b')]);
  await flush();
  expect(statuses()).toEqual(['b interrupted', 'a done', 'b done']);
});

test('whoever adds files learns what they became, also after another attempt', async () => {
  let refuses = true;
  const send: UploadSteps['send'] = ({ upload }) => Promise.resolve(refuses && upload.name === 'b.txt' ? failure({}) : { uploadId: upload.name });
  const { queue, list } = start({ send });
  const reports: string[][] = [];
  queue.add(siteId, [file('a.txt'), file('b.txt'), file('c.txt')], ({ resources, failed }) =>
    reports.push([...resources.map(({ name }) => name), ...failed.map(({ name }) => `${name} failed`)]),
  );
  await flush();
  expect(reports).toEqual([['a.txt', 'c.txt', 'b.txt failed']]);
  refuses = false;
  queue.resume(list().map(({ id }) => id));
  await flush();
  expect(reports.slice(1)).toEqual([['b.txt']]);
  // Signing out ends it: nothing may be created in the name of somebody else.
  queue.add(siteId, [file('d.txt')], () => reports.push(['d.txt']));
  queue.stopAll();
  await flush();
  expect(reports).toHaveLength(2);
});
