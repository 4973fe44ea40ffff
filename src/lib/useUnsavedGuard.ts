import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';

/**
 * Blocks a navigation while there are unsaved changes; the dialog is `ui/LeaveDialog`. Proceeds automatically when the form becomes clean. A redirect
 * to the sign page is allowed: `leaving` reports it (the draft is stored).
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
