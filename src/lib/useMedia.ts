import { useSyncExternalStore } from 'react';

/** Whether a media query matches, e.g. `(max-width: 719px)`. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}

/** Phone layout: one column, the rail is a drawer. */
export const phone = '(max-width: 719px)';
/** Between phone and desktop: the rail shows icons only. */
export const narrowScreen = '(max-width: 1099px)';
