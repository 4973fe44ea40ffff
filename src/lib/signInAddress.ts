/** `/sign/?redirect=` with path, query and fragment of the address to come back to. */
export const signInAddress = (at: Pick<Location, 'pathname' | 'search' | 'hash'>): string => `/sign/?redirect=${encodeURIComponent(at.pathname + at.search + at.hash)}`;

let go = (address: string): void => location.assign(address);
/** Leaves the console for the sign page. */
export const goToSignIn = (): void => go(signInAddress(location));
/** For tests: jsdom cannot navigate. Returns the way back. */
export function onGoToSignIn(hear: (address: string) => void): () => void {
  const before = go;
  go = hear;
  return () => {
    go = before;
  };
}
