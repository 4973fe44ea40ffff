import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import type { Blocker, Location } from 'react-router-dom';

const pathOf = ({ pathname }: Location): string => pathname;

const answered = new WeakSet<Blocker>();
/**
 * Continues (`leave`) or cancels a blocked navigation, once: the router reports its state in a transition, so that `useBlocker` may still return a blocker that
 * was answered, and a second answer throws.
 */
export function answerBlocker(blocker: Blocker, leave: boolean): void {
  if (blocker.state !== 'blocked' || answered.has(blocker)) return;
  answered.add(blocker);
  if (leave) blocker.proceed();
  else blocker.reset();
}

/**
 * Blocks a navigation while there are unsaved changes; the dialog is `ui/LeaveDialog`. Proceeds automatically when the form becomes clean. A redirect
 * to the sign page is allowed: `leaving` reports it (the draft is stored). `placeOf`: the part of an address that shows the form; while it stays the same,
 * nothing is lost. Defined once, outside the component.
 */
export function useUnsavedGuard(dirty: boolean, leaving: () => boolean = () => false, placeOf = pathOf) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => dirty && !leaving() && placeOf(currentLocation) !== placeOf(nextLocation));
  useEffect(() => {
    if (!dirty) answerBlocker(blocker, true);
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
