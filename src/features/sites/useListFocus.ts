import { useEffect, useRef } from 'react';
import type { FocusEvent, KeyboardEvent, RefObject } from 'react';

const barButton = (): HTMLElement | null => document.querySelector('.selection-bar button');

/**
 * The focus between a list of sites and the bar of what is selected, which stands behind thousands of them: Tab leads from a site that is left to the bar, Shift+Tab
 * back. When the bar is gone, the focus returns to where it was in the list.
 */
export function useListFocus(linksIn: (frame: HTMLElement | null) => HTMLElement[], frame: RefObject<HTMLElement | null>, isSelecting: boolean) {
  const last = useRef<string | undefined>(undefined);
  const back = (): void => {
    const links = linksIn(frame.current);
    (links.find(({ dataset }) => dataset['siteLink'] === last.current) ?? links[0])?.focus({ preventScroll: true });
  };
  const latestBack = useRef(back);
  useEffect(() => {
    latestBack.current = back;
  });
  useEffect(() => {
    if (!isSelecting) return undefined;
    return () =>
      void requestAnimationFrame(() => {
        if (document.activeElement === document.body) latestBack.current();
      });
  }, [isSelecting]);
  return {
    back,
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => {
      last.current = target.closest('li, tr')?.querySelector<HTMLElement>('[data-site-link]')?.dataset['siteLink'] ?? last.current;
    },
    /** Whether the focus moved to the bar. */
    leave: ({ key, shiftKey, target }: KeyboardEvent): boolean => {
      if (key !== 'Tab' || shiftKey || !isSelecting || (target instanceof HTMLElement && 'siteLink' in target.dataset)) return false;
      barButton()?.focus();
      return barButton() !== null;
    },
  };
}
