import { act, renderHook } from '@testing-library/react';
import { useTyped } from './useTyped';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function open(start = '') {
  const sent: string[] = [];
  const hook = renderHook(({ value }) => useTyped(value, (text) => sent.push(text)), { initialProps: { value: start } });
  const type = (text: string) => act(() => hook.result.current[1](text));
  return {
    sent,
    type,
    typed: () => hook.result.current[0],
    arrive: (value: string) => hook.rerender({ value }),
    settle: () => act(() => jest.runOnlyPendingTimers()),
  };
}

test('shows each key at once and sends only the settled text', () => {
  const { sent, type, typed, settle } = open();
  type('y');
  type('yq');
  expect(typed()).toBe('yq');
  settle();
  expect(sent).toEqual(['yq']);
});

test('a late response does not overwrite newer input', () => {
  const { sent, type, typed, arrive, settle } = open();
  type('yq');
  settle();
  type('yqs');
  arrive('yq');
  expect(typed()).toBe('yqs');
  settle();
  expect(sent).toEqual(['yq', 'yqs']);
});

test('an external change replaces it', () => {
  const { sent, typed, arrive, settle } = open('tea');
  arrive('');
  expect(typed()).toBe('');
  settle();
  expect(sent).toEqual([]);
});
