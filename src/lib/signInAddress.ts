/** `/sign/?redirect=` with path, query and fragment of the address to come back to. */
export const signInAddress = (at: Pick<Location, 'pathname' | 'search' | 'hash'>): string =>
  `/sign/?redirect=${encodeURIComponent(at.pathname + at.search + at.hash)}`;

let go = (address: string): void => location.assign(address);
let leaving = false;

/** Leaves the console for the sign page, once: several things may notice at the same time that the session is gone. */
export function goToSignIn(): void {
  if (leaving) return;
  leaving = true;
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
