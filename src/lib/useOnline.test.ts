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

test('a machine without a network still reaches a console of its own', async () => {
  serverAnswers(true);
  const { result } = renderHook(useOnline);
  await act(async () => browserSays(false));
  await waitFor(() => expect(globalThis.fetch).toHaveBeenCalled());
  expect(result.current).toBe(true);
});

test('when the server does not answer either it is offline, and back as soon as it answers, said to everyone', async () => {
  serverAnswers(false);
  const { result } = renderHook(useOnline);
  await act(async () => browserSays(false));
  await waitFor(() => expect(result.current).toBe(false));
  const heard = jest.fn();
  addEventListener('online', heard);
  serverAnswers(true);
  await waitFor(() => expect(result.current).toBe(true), { timeout: 8000 });
  expect(heard).toHaveBeenCalled();
  removeEventListener('online', heard);
});
