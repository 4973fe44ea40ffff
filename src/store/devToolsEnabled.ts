/**
 * On in development; in production only if the person (`sessionStorage['console:devtools'] = '1'`) or the operator (the page's `devtools` mark)
 * enabled it. The sanitizers are a part of their own, loaded only then.
 */
export function areDevToolsEnabled(): boolean {
  if (process.env.NODE_ENV !== 'production') return true;
  if (document.querySelector('meta[name="devtools"]')?.getAttribute('content') === '1') return true;
  try {
    return sessionStorage.getItem('console:devtools') === '1';
  } catch {
    return false;
  }
}
