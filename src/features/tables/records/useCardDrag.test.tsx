import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { useCardDrag } from './useCardDrag';

const onOpen = jest.fn();
const Board = ({ enabled = true }: { readonly enabled?: boolean }): ReactElement => {
  const board = useCardDrag(enabled, () => undefined);
  return (
    <div ref={board}>
      <button type="button" data-drag="one" onClick={onOpen}>
        Card
      </button>
    </div>
  );
};
const card = () => screen.getByRole('button', { name: 'Card' });
const ghost = () => document.querySelector('.tables-ghost');
/** jsdom has no pointer events. */
const point = (type: string, pointerType: string, init: MouseEventInit = {}): void => {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, button: 0, buttons: 1, ...init });
  fireEvent(card(), Object.assign(event, { pointerId: 1, isPrimary: true, pointerType }));
};
/** Lifts the card with the mouse. */
const lift = (): void => {
  point('pointerdown', 'mouse');
  point('pointermove', 'mouse', { clientX: 40 });
  expect(ghost()).toBeInTheDocument();
};
beforeAll(() => {
  // Listeners in jsdom accept only its own signals. The environment replaces them by those of Node, except in frames.
  const { contentWindow } = document.body.appendChild(document.createElement('iframe'));
  globalThis.AbortController = (contentWindow as Window & typeof globalThis).AbortController;
});
beforeEach(() => {
  jest.useFakeTimers();
  onOpen.mockClear();
  // jsdom has no layout.
  document.elementFromPoint = () => null;
});
afterEach(() => {
  jest.runOnlyPendingTimers();
  jest.useRealTimers();
});

test('a drag ends with its board', () => {
  const { unmount } = render(<Board />);
  lift();
  unmount();
  expect(ghost()).toBeNull();
});

test('a drag ends when dragging is no longer allowed', () => {
  const { rerender } = render(<Board />);
  lift();
  rerender(<Board enabled={false} />);
  expect(ghost()).toBeNull();
});

test('a drag ends when the mouse returns without a pressed button', () => {
  render(<Board />);
  lift();
  point('pointermove', 'mouse', { buttons: 0, clientX: 60 });
  expect(ghost()).toBeNull();
});

test('the click after a drag by finger does not open the card', () => {
  render(<Board />);
  point('pointerdown', 'touch');
  jest.advanceTimersByTime(1000);
  expect(ghost()).toBeInTheDocument();
  point('pointerup', 'touch');
  jest.advanceTimersByTime(100);
  expect(fireEvent.touchEnd(card())).toBe(false);
  fireEvent.click(card());
  expect(onOpen).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  fireEvent.click(card());
  expect(onOpen).toHaveBeenCalledTimes(1);
});
