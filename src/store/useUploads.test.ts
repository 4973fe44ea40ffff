import { act, renderHook, waitFor } from '@testing-library/react';
import type { UploadTarget } from './sendChunks';
import { useUploads } from './useUploads';

type Backup = { readonly id: string; readonly stored: number };
const target: UploadTarget<Backup> = { address: ({ id }, _file, offset) => `/api/${id}/data?offset=${offset}`, stored: ({ stored }) => [stored] };
const file = new File(['tea'], 'tea.json');

/** Requests that wait for their answer, by address. */
const requests = new Map<string, (stored: number) => void>();
const before = globalThis.fetch;
beforeEach(() => {
  requests.clear();
  globalThis.fetch = ((url: string, { signal }: RequestInit) =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(url);
      signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      requests.set(`${pathname}${search}`, (stored) =>
        resolve({
          status: 200,
          statusText: '',
          headers: { get: () => 'application/json' },
          text: async () => JSON.stringify({ data: { id: pathname.split('/')[2], stored } }),
        } as unknown as Response),
      );
    })) as typeof fetch;
});
afterEach(() => void (globalThis.fetch = before));

test('a paused upload resumes where it stopped', async () => {
  const onMoved = jest.fn();
  const { result } = renderHook(() => useUploads(target, onMoved));
  expect([result.current.of('a'), result.current.isSending]).toEqual([undefined, false]);
  let first = Promise.resolve({});
  act(() => void (first = result.current.send({ id: 'a', stored: 0 }, [file])));
  expect(result.current.of('a')).toMatchObject({ files: [file], stored: [0], sending: true });
  await act(async () => requests.get('/api/a/data?offset=0')?.(1));
  await waitFor(() => expect(result.current.of('a')?.stored).toEqual([1]));
  act(() => result.current.pause('a'));
  expect(await first).toEqual({ sent: false, failure: null });
  expect([result.current.of('a')?.sending, result.current.isSending]).toEqual([false, false]);

  requests.clear();
  let second = Promise.resolve({});
  act(() => void (second = result.current.send({ id: 'a', stored: 1 }, [file])));
  await act(async () => requests.get('/api/a/data?offset=1')?.(3));
  expect(await second).toEqual({ sent: true, failure: null });
  expect(result.current.of('a')).toMatchObject({ stored: [3], sending: false, failure: null });
  expect(onMoved.mock.calls.map(([now]) => (now as Backup).stored)).toEqual([1, 3]);
});

test('a resumed upload continues after the last byte this page sent', async () => {
  const stale = { id: 'a', stored: 0 };
  const { result } = renderHook(() => useUploads(target));
  act(() => void result.current.send(stale, [file]));
  await act(async () => requests.get('/api/a/data?offset=0')?.(2));
  await waitFor(() => expect(result.current.of('a')?.stored).toEqual([2]));
  act(() => result.current.pause('a'));

  requests.clear();
  act(() => void result.current.send(stale, [file]));
  expect(result.current.of('a')).toMatchObject({ stored: [2], sending: true });
  expect([...requests.keys()]).toEqual(['/api/a/data?offset=2']);
  await act(async () => requests.get('/api/a/data?offset=2')?.(3));
  await waitFor(() => expect(result.current.of('a')).toMatchObject({ stored: [3], sending: false }));
});

test('a resumed upload continues from the list if another tab has sent more', async () => {
  const { result } = renderHook(() => useUploads(target));
  act(() => void result.current.send({ id: 'a', stored: 0 }, [file]));
  await act(async () => requests.get('/api/a/data?offset=0')?.(1));
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
  await act(async () => requests.get('/api/b/data?offset=0')?.(3));
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
