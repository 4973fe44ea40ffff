import { useEffect, useEffectEvent, useState } from 'react';
import { autoScrollStep } from '../grid/drag';
import { distance, longPressMs, slack } from '../grid/useTouchHold';
import type { Point } from '../grid/useTouchHold';

/** Of the speed at which the grid scrolls: a board has few and wide columns. */
const pace = 0.5;

/** The copy of a card that follows the pointer. */
function createGhost(card: HTMLElement): HTMLElement {
  const { left, top, width, height } = card.getBoundingClientRect();
  const ghost = card.cloneNode(true) as HTMLElement;
  for (const element of [ghost, ...ghost.querySelectorAll<HTMLElement>('[data-record], [data-drag]')]) {
    element.removeAttribute('data-record');
    element.removeAttribute('data-drag');
  }
  ghost.ariaHidden = 'true';
  ghost.inert = true;
  ghost.classList.add('tables-ghost');
  Object.assign(ghost.style, { left: `${String(left)}px`, top: `${String(top)}px`, width: `${String(width)}px`, height: `${String(height)}px` });
  document.body.append(ghost);
  return ghost;
}

/** Scrolls what lies under the pointer, up to the board, where the pointer is near its edge. */
function scrollTowards(board: HTMLElement, { x, y }: Point): void {
  const { left, right, top, bottom } = board.getBoundingClientRect();
  const inside = document.elementFromPoint(Math.max(left + 1, Math.min(x, right - 1)), Math.max(top + 1, Math.min(y, bottom - 1)));
  for (let at = inside; at !== null && board.contains(at); at = at.parentElement) {
    if (at.scrollHeight === at.clientHeight && at.scrollWidth === at.clientWidth) continue;
    const step = autoScrollStep(at.getBoundingClientRect(), { x, y });
    at.scrollBy(step.right * pace, step.down * pace);
  }
}

/**
 * The click that follows a drag does not open the record. With a finger it comes after `touchend`, which comes after `pointerup` and can prevent it; an element
 * that has left the document keeps its `touchend` to itself, so that the next press ends the wait at the latest.
 */
function stopClick(isTouch: boolean): void {
  const control = new AbortController();
  const { signal } = control;
  const endSoon = (): void => void setTimeout(() => control.abort(), 0);
  addEventListener('click', (event) => event.stopPropagation(), { capture: true, signal });
  if (!isTouch) return endSoon();
  const onTouchEnd = (event: TouchEvent): void => {
    if (event.cancelable) event.preventDefault();
    endSoon();
  };
  addEventListener('touchend', onTouchEnd, { signal });
  addEventListener('touchcancel', endSoon, { signal });
  addEventListener('pointerdown', () => control.abort(), { capture: true, signal });
  return undefined;
}

/**
 * Follows one pointer from its press on a card to its end. With a mouse or pen, the card is lifted once it has moved a little; with a finger, after a long press,
 * so that the board still scrolls. Escape, a second finger, a mouse button released outside the window and the browser taking over cancel, and so does the
 * returned function. Everything that is displayed is set on the elements themselves: a drag renders nothing.
 */
function followCard(press: PointerEvent, card: HTMLElement, board: HTMLElement, onDrop: (data: string, target: string) => void): () => void {
  const control = new AbortController();
  const { signal } = control;
  const isTouch = press.pointerType === 'touch';
  const start: Point = { x: press.clientX, y: press.clientY };
  let place = start;
  let ghost: HTMLElement | null = null;
  let over: HTMLElement | null = null;
  let frame = 0;

  const show = (): void => {
    if (!ghost) return;
    ghost.style.translate = `${String(place.x - start.x)}px ${String(place.y - start.y)}px`;
    const below = document.elementFromPoint(place.x, place.y)?.closest<HTMLElement>('[data-drop]') ?? null;
    const next = below && board.contains(below) ? below : null;
    if (next === over) return;
    over?.removeAttribute('data-over');
    next?.setAttribute('data-over', '');
    over = next;
  };
  const everyFrame = (): void => {
    scrollTowards(board, place);
    show();
    frame = requestAnimationFrame(everyFrame);
  };
  const lift = (): void => {
    ghost = createGhost(card);
    board.dataset['dragging'] = '';
    card.dataset['held'] = '';
    if (isTouch) navigator.vibrate?.(10);
    show();
    frame = requestAnimationFrame(everyFrame);
  };
  const timer = isTouch ? setTimeout(lift, longPressMs) : undefined;
  const end = (isDrop: boolean): void => {
    if (signal.aborted) return;
    control.abort();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    const target = over;
    over?.removeAttribute('data-over');
    delete board.dataset['dragging'];
    delete card.dataset['held'];
    ghost?.remove();
    if (!ghost) return;
    stopClick(isTouch);
    if (isDrop && target && !target.contains(card)) onDrop(card.dataset['drag'] ?? '', target.dataset['drop'] ?? '');
  };

  const listen = <K extends keyof WindowEventMap>(type: K, on: (event: WindowEventMap[K]) => void, options: AddEventListenerOptions = {}): void =>
    addEventListener(type, on, { ...options, signal });
  listen('pointermove', (event) => {
    if (event.pointerId !== press.pointerId) return undefined;
    // The release of a mouse button outside the window is not reported.
    if (!isTouch && event.buttons === 0) return end(false);
    place = { x: event.clientX, y: event.clientY };
    if (ghost) return show();
    if (distance(start, place) <= slack) return undefined;
    // A moving finger scrolls.
    return isTouch ? end(false) : lift();
  });
  listen('pointerup', (event) => event.pointerId === press.pointerId && end(true));
  listen('pointercancel', (event) => event.pointerId === press.pointerId && end(false));
  listen('pointerdown', (event) => event.pointerId !== press.pointerId && end(false));
  listen('contextmenu', (event) => isTouch && event.preventDefault());
  const cancel = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !ghost) return;
    event.stopPropagation();
    end(false);
  };
  listen('keydown', cancel, { capture: true });
  return () => end(false);
}

/**
 * Dragging of cards (`data-drag`, with what identifies the card) to places (`data-drop`) within a board, whose ref is returned. The same action is available by
 * keyboard at the card. While a card is over a place, that has `data-over`.
 */
export function useCardDrag(enabled: boolean, onDrop: (data: string, target: string) => void): (board: HTMLElement | null) => void {
  const [board, setBoard] = useState<HTMLElement | null>(null);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    if (!board || !enabled) return undefined;
    let endDrag = (): void => undefined;
    const onPress = (event: PointerEvent): void => {
      const { target } = event;
      const card = target instanceof Element ? target.closest<HTMLElement>('[data-drag]') : null;
      if (!card || !event.isPrimary || event.button !== 0) return;
      endDrag();
      endDrag = followCard(event, card, board, (data, place) => drop(data, place));
    };
    // Pictures and links in cards have a drag of their own.
    const onNativeDrag = (event: DragEvent): void => event.preventDefault();
    // Browsers decide at the first touch whether scrolling can be prevented later.
    const onTouch = (event: TouchEvent): void => {
      if (board.dataset['dragging'] !== undefined) event.preventDefault();
    };
    board.addEventListener('pointerdown', onPress);
    board.addEventListener('dragstart', onNativeDrag);
    board.addEventListener('touchmove', onTouch, { passive: false });
    return () => {
      endDrag();
      board.removeEventListener('pointerdown', onPress);
      board.removeEventListener('dragstart', onNativeDrag);
      board.removeEventListener('touchmove', onTouch);
    };
  }, [board, enabled]);
  return setBoard;
}
