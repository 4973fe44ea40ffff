/** `/sign/?redirect=` with path, query and fragment of the address to return to. */
export const signInAddress = (at: Pick<Location, 'pathname' | 'search' | 'hash'>): string =>
  `/sign/?redirect=${encodeURIComponent(at.pathname + at.search + at.hash)}`;

let go = (address: string): void => location.assign(address);
let leaving = false;

const endedKey = 'sign.ended';

/** Whether this tab was redirected here because a session expired; the address contains the return address only. */
export function hasSessionEnded(): boolean {
  try {
    return sessionStorage.getItem(endedKey) !== null;
  } catch {
    return false;
  }
}

/** The notice is shown once. */
export function forgetSessionEnded(): void {
  try {
    sessionStorage.removeItem(endedKey);
  } catch {
    // Without storage nothing was remembered.
  }
}

/**
 * Leaves the console for the sign page, once: several callers may notice at the same time that the session is gone. `ended`: the session expired
 * rather than was signed out, so the sign page explains it.
 */
export function goToSignIn(ended = false): void {
  if (leaving) return;
  leaving = true;
  forgetSessionEnded();
  try {
    if (ended) sessionStorage.setItem(endedKey, '1');
  } catch {
    // Without storage the sign page shows no explanation.
  }
  go(signInAddress(location));
}

/** The page was restored from the back/forward cache: it may leave again. */
export const allowLeavingAgain = (): void => {
  leaving = false;
};

/** For tests: jsdom cannot navigate. Returns a function that restores the original. */
export function onGoToSignIn(onAddress: (address: string) => void): () => void {
  const before = go;
  go = onAddress;
  leaving = false;
  return () => {
    go = before;
    leaving = false;
  };
}
