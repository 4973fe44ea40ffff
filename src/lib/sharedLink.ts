/**
 * The read-only link that this page was opened by: `/shared/<secret>/…`. Its secret goes along with every call as `X-Share`; behind it,
 * after a full stop, the pass that its password gave. null in the console itself.
 */
const match = typeof location === 'undefined' ? null : /^\/shared\/([A-Za-z0-9_-]{43})(?=\/|$)/.exec(location.pathname);
export const sharedSecret: string | null = match?.[1] ?? null;
/** Where the pages of the link begin. */
export const sharedBase = match?.[0] ?? '';

const passKey = 'share-pass';
let pass = '';
try {
  pass = sharedSecret === null ? '' : (sessionStorage.getItem(`${passKey} ${sharedSecret}`) ?? '');
} catch {
  // Without storage the password is asked for again after a reload.
}

export function keepPass(next: string): void {
  pass = next;
  try {
    sessionStorage.setItem(`${passKey} ${sharedSecret}`, next);
  } catch {
    // It holds for this page at least.
  }
}

/** What rows and filters may speak of; null: everything. */
let reach: readonly string[] | null = null;
export const setReach = (dimensions: readonly string[]): void => void (reach = dimensions);
export const isInReach = (dimension: string): boolean => reach === null || reach.includes(dimension);

/** Headers of every call. */
export const sharedHeaders = (): Record<string, string> => (sharedSecret === null ? {} : { 'x-share': pass === '' ? sharedSecret : `${sharedSecret}.${pass}` });
