/**
 * The public link that opened this page: `/shared/<secret>/…`. Its secret is sent with every call as `X-Share`, followed by a full stop and the
 * pass obtained with its password. null in the console itself.
 */
const match = typeof location === 'undefined' ? null : /^\/shared\/([A-Za-z0-9_-]{43})(?=\/|$)/.exec(location.pathname);
export const publicLinkSecret: string | null = match?.[1] ?? null;
/** Base path of the link's pages. */
export const publicLinkBase = match?.[0] ?? '';

const passKey = 'share-pass';
let pass = '';
try {
  pass = publicLinkSecret === null ? '' : (sessionStorage.getItem(`${passKey} ${publicLinkSecret}`) ?? '');
} catch {
  // Without storage the password is required again after a reload.
}

export function storePass(next: string): void {
  pass = next;
  try {
    sessionStorage.setItem(`${passKey} ${publicLinkSecret}`, next);
  } catch {
    // It is valid for this page at least.
  }
}

/** Dimensions that rows and filters may use; null: all. */
let allowedDimensions: readonly string[] | null = null;
export const setAllowedDimensions = (dimensions: readonly string[]): void => void (allowedDimensions = dimensions);
export const isAllowedDimension = (dimension: string): boolean => allowedDimensions === null || allowedDimensions.includes(dimension);

/** Headers sent with every call; none in the console itself. */
export const publicLinkHeaders = (): Record<string, string> =>
  publicLinkSecret === null ? {} : { 'x-share': pass === '' ? publicLinkSecret : `${publicLinkSecret}.${pass}` };
