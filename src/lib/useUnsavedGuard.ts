import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import type { Location } from 'react-router-dom';

const pathOf = ({ pathname }: Location): string => pathname;

/**
 * Blocks a navigation while there are unsaved changes; the dialog is `ui/LeaveDialog`. Proceeds automatically when the form becomes clean. A redirect
 * to the sign page is allowed: `leaving` reports it (the draft is stored). `placeOf`: the part of an address that shows the form; while it stays the same,
 * nothing is lost. Defined once, outside the component.
 */
export function useUnsavedGuard(dirty: boolean, leaving: () => boolean = () => false, placeOf = pathOf) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => dirty && !leaving() && placeOf(currentLocation) !== placeOf(nextLocation));
  useEffect(() => {
    if (dirty || blocker.state !== 'blocked') return;
    try {
      blocker.proceed();
    } catch {
      // The router has already let go of a navigation by the back button, which it reports later.
      blocker.reset();
    }
  }, [dirty, blocker]);
  useEffect(() => {
    if (!dirty) return;
    const hold = (event: BeforeUnloadEvent) => {
      if (!leaving()) event.preventDefault();
    };
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, [dirty, leaving]);
  return blocker;
}
