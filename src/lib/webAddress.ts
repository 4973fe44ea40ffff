/**
 * A safe link target: http or https, null for anything else. With `path` the page of that site; paths come from visitors, and `//elsewhere.example`
 * or `/\elsewhere.example` must not leave the site.
 */
export function webAddress(site: string | null, path = '/'): string | null {
  if (site === null || !path.startsWith('/')) return null;
  try {
    const home = new URL(site);
    if (home.protocol !== 'https:' && home.protocol !== 'http:') return null;
    return path === '/' ? home.href : new URL(home.origin + path).href;
  } catch {
    return null;
  }
}
