import { act, renderHook, waitFor } from '@testing-library/react';
import { useOnline } from './useOnline';

const browserSays = (online: boolean): void => {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => online });
  dispatchEvent(new Event(online ? 'online' : 'offline'));
};
const serverAnswers = (answers: boolean): void => {
  globalThis.fetch = jest.fn(() => (answers ? Promise.resolve(new Response(null)) : Promise.reject(new TypeError('no network'))));
};

afterEach(() => act(() => browserSays(true)));

test('a computer without a network still reaches a local console', async () => {
  serverAnswers(true);
  const { result } = renderHook(useOnline);
  await act(async () => browserSays(false));
  await waitFor(() => expect(globalThis.fetch).toHaveBeenCalled());
  expect(result.current).toBe(true);
});

test('without server responses it is offline, until one arrives', async () => {
  serverAnswers(false);
  const { result } = renderHook(useOnline);
  await act(async () => browserSays(false));
  await waitFor(() => expect(result.current).toBe(false));
  const onlineListener = jest.fn();
  addEventListener('online', onlineListener);
  serverAnswers(true);
  await waitFor(() => expect(result.current).toBe(true), { timeout: 8000 });
  expect(onlineListener).toHaveBeenCalled();
  removeEventListener('online', onlineListener);
});
