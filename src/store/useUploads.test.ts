import { act, renderHook, waitFor } from '@testing-library/react';
import { chunkStored, fakeServer, uploadState } from '../../test/support/fakeServer';
import { useUploads } from './useUploads';
import type { UploadTarget } from './useUploads';

type Backup = { readonly id: string; readonly stored: number };
const target: UploadTarget<Backup> = { address: ({ id }) => `/api/${id}/file`, stored: ({ stored }) => [stored] };
const file = new File(['tea'], 'tea.json');

/** Chunks that wait for their answer, by the id of the object. */
const chunks = new Map<string, (stored: number) => void>();
/** How much the server has of each object. */
let stored: Record<string, number>;
let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  chunks.clear();
  stored = { a: 0, b: 0 };
  server = fakeServer(
    Object.fromEntries(
      ['a', 'b'].flatMap((id) => [
        [`HEAD /api/${id}/file`, () => uploadState(stored[id] ?? 0, 3)],
        [
          `PATCH /api/${id}/file`,
          () =>
            new Promise((resolve) =>
              chunks.set(id, (bytes) => {
                stored[id] = bytes;
                resolve(chunkStored(bytes));
              }),
            ),
        ],
      ]),
    ),
  );
});
afterEach(() => server.restore());

const answer = async (id: string, bytes: number): Promise<void> => {
  await waitFor(() => expect(chunks.has(id)).toBe(true));
  await act(async () => {
    chunks.get(id)?.(bytes);
    chunks.delete(id);
  });
};

test('a paused upload resumes where it stopped', async () => {
  const { result } = renderHook(() => useUploads(target));
  expect([result.current.of('a'), result.current.isSending]).toEqual([undefined, false]);
  let first = Promise.resolve({});
  act(() => void (first = result.current.send({ id: 'a', stored: 0 }, [file])));
  expect(result.current.of('a')).toMatchObject({ files: [file], stored: [0], sending: true });
  await answer('a', 1);
  await waitFor(() => expect(result.current.of('a')?.stored).toEqual([1]));
  act(() => result.current.pause('a'));
  expect(await first).toEqual({ sent: false, failure: null });
  expect([result.current.of('a')?.sending, result.current.isSending]).toEqual([false, false]);

  chunks.clear();
  let second = Promise.resolve({});
  // The caller's object is older than what this page has sent.
  act(() => void (second = result.current.send({ id: 'a', stored: 0 }, [file])));
  expect(result.current.of('a')).toMatchObject({ stored: [1], sending: true });
  await answer('a', 3);
  expect(await second).toEqual({ sent: true, failure: null });
  expect(result.current.of('a')).toMatchObject({ stored: [3], sending: false, failure: null });
  expect(server.calls('PATCH /api/a/file').map(({ headers }) => headers.get('upload-offset'))).toEqual(['0', '1', '1']);
});

test('a resumed upload shows what another tab has sent since', async () => {
  const { result } = renderHook(() => useUploads(target));
  act(() => void result.current.send({ id: 'a', stored: 0 }, [file]));
  await answer('a', 1);
  await waitFor(() => expect(result.current.of('a')?.stored).toEqual([1]));
  act(() => result.current.pause('a'));
  act(() => void result.current.send({ id: 'a', stored: 2 }, [file]));
  expect(result.current.of('a')?.stored).toEqual([2]);
});

test('uploads of several objects do not disturb each other', async () => {
  const { result } = renderHook(() => useUploads(target));
  act(() => {
    void result.current.send({ id: 'a', stored: 0 }, [file]);
    void result.current.send({ id: 'b', stored: 0 }, [file]);
  });
  act(() => result.current.pause('a'));
  await answer('b', 3);
  await waitFor(() => expect(result.current.isSending).toBe(false));
  expect([result.current.of('a')?.stored, result.current.of('b')?.stored]).toEqual([[0], [3]]);
});

test('uploads end with the page', async () => {
  const { result, unmount } = renderHook(() => useUploads(target));
  let sending = Promise.resolve({});
  act(() => void (sending = result.current.send({ id: 'a', stored: 0 }, [file])));
  unmount();
  expect(await sending).toEqual({ sent: false, failure: null });
});
