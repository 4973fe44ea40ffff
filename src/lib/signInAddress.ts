/** `/sign/?redirect=` with path, query and fragment of the address to come back to. */
export const signInAddress = (at: Pick<Location, 'pathname' | 'search' | 'hash'>): string =>
  `/sign/?redirect=${encodeURIComponent(at.pathname + at.search + at.hash)}`;

let go = (address: string): void => location.assign(address);
let leaving = false;

const endedKey = 'sign.ended';

/** Whether this tab came here because a session that was open has ended; the address says where to go back to and nothing else. */
export function hasSessionEnded(): boolean {
  try {
    return sessionStorage.getItem(endedKey) !== null;
  } catch {
    return false;
  }
}

/** It is said once. */
export function forgetSessionEnded(): void {
  try {
    sessionStorage.removeItem(endedKey);
  } catch {
    // A browser without storage remembered nothing.
  }
}

/**
 * Leaves the console for the sign page, once: several things may notice at the same time that the session is gone.
 * `ended`: it was open and nobody signed out here, so the sign page says why it is there.
 */
export function goToSignIn(ended = false): void {
  if (leaving) return;
  leaving = true;
  forgetSessionEnded();
  try {
    if (ended) sessionStorage.setItem(endedKey, '1');
  } catch {
    // Then it goes unsaid.
  }
  go(signInAddress(location));
}

/** The page came back from the browser's memory: it may leave again. */
export const stayAfterAll = (): void => {
  leaving = false;
};

/** For tests: jsdom cannot navigate. Returns the way back. */
export function onGoToSignIn(hear: (address: string) => void): () => void {
  const before = go;
  go = hear;
  leaving = false;
  return () => {
    go = before;
    leaving = false;
  };
}
