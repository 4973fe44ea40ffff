import { useEffect, useRef } from 'react';
import type { FocusEvent, KeyboardEvent, RefObject } from 'react';

const barButton = (): HTMLElement | null => document.querySelector('.selection-bar button');

/**
 * The focus between a list of sites and the bar of what is selected, which stands behind thousands of them: Tab leads from the last control of a site to the bar,
 * Shift+Tab back. If the site or the button with the focus is gone, the focus returns to the place in the list where it was last.
 */
export function useListFocus(linksIn: (frame: HTMLElement | null) => HTMLElement[], frame: RefObject<HTMLElement | null>, isSelecting: boolean) {
  const last = useRef({ id: '', at: 0 });
  const isInside = useRef(false);
  const back = (): void => {
    const links = linksIn(frame.current);
    const { id, at } = last.current;
    (links.find(({ dataset }) => dataset['siteLink'] === id) ?? links[Math.min(at, links.length - 1)])?.focus({ preventScroll: true });
  };
  // React reports no blur of an element that it removes.
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body) back();
  });
  return {
    back,
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => {
      isInside.current = true;
      const link = target.closest('li, tr')?.querySelector<HTMLElement>('[data-site-link]');
      if (link) last.current = { id: link.dataset['siteLink'] ?? '', at: linksIn(frame.current).indexOf(link) };
    },
    onBlur: (): void => {
      isInside.current = false;
    },
    /** Whether the focus moved to the bar. */
    leave: ({ key, shiftKey, target }: KeyboardEvent): boolean => {
      // Menus are inside in React, not in the document.
      if (key !== 'Tab' || shiftKey || !isSelecting || !(target instanceof Element) || frame.current?.contains(target) !== true) return false;
      if (target !== [...(target.closest('li, tr')?.querySelectorAll('a, button, [tabindex="0"]') ?? [])].at(-1)) return false;
      barButton()?.focus();
      return barButton() !== null;
    },
  };
}
