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
const press = { pointerId: 1, isPrimary: true, button: 0, buttons: 1 };
/** Lifts the card with the mouse. */
const lift = (): void => {
  fireEvent.pointerDown(card(), { ...press, pointerType: 'mouse' });
  fireEvent.pointerMove(card(), { ...press, pointerType: 'mouse', clientX: 40 });
  expect(ghost()).toBeInTheDocument();
};
beforeEach(() => {
  jest.useFakeTimers();
  onOpen.mockClear();
  // jsdom has no layout.
  document.elementFromPoint = () => null;
});
afterEach(() => {
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
  fireEvent.pointerMove(card(), { ...press, pointerType: 'mouse', buttons: 0, clientX: 60 });
  expect(ghost()).toBeNull();
});

test('the click after a drag by finger does not open the card', () => {
  render(<Board />);
  fireEvent.pointerDown(card(), { ...press, pointerType: 'touch' });
  jest.advanceTimersByTime(1000);
  expect(ghost()).toBeInTheDocument();
  fireEvent.pointerUp(card(), { ...press, pointerType: 'touch' });
  jest.advanceTimersByTime(100);
  expect(fireEvent.touchEnd(card())).toBe(false);
  fireEvent.click(card());
  expect(onOpen).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  fireEvent.click(card());
  expect(onOpen).toHaveBeenCalledTimes(1);
});
