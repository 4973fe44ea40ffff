import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';

/**
 * Holds a navigation back while something typed is not saved; the dialog is `ui/LeaveDialog`. Proceeds by itself when the form becomes clean.
 * A browser that is being sent to the sign page is let go: `leaving` says so (the draft is kept).
 */
export function useUnsavedGuard(dirty: boolean, leaving: () => boolean = () => false) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => dirty && !leaving() && currentLocation.pathname !== nextLocation.pathname);
  useEffect(() => {
    if (!dirty && blocker.state === 'blocked') blocker.proceed();
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
