import type { z } from 'zod';
import type { RedirectsPart } from './parts';

export type Redirect = z.output<typeof RedirectsPart>[number];
/** What decides where a redirect leads. */
export type RedirectRule = Pick<Redirect, 'from' | 'to' | 'status'> & { readonly expiresOn?: string | null };
/** `location` is percent-encoded; empty with status 410. */
export type RedirectMatch = { readonly status: Redirect['status']; readonly location: string; readonly redirect: RedirectRule };
/** `today`: the day in the time zone of the site (`YYYY-MM-DD`), requested only if a redirect may have expired; absent: none has. */
export type Redirects = (path: string, query: string, today?: () => string) => RedirectMatch | null;

/** `https://new.example:splat`: without a slash the rest of the path would continue the name of the host. */
const hostThenSplat = /^([a-z][a-z\d+.-]*:\/\/[^/?#]*?)(?=:splat)/i;

/** Header values consist of visible ASCII. What is encoded already stays as it is. */
const inHeader = (address: string): string => encodeURI(address.replaceAll(/\p{Surrogate}/gu, '')).replaceAll(/%25(?=[\da-f]{2})/gi, '%');

/** A path as rules are written and compared: decoded, in NFC; null: not a valid path, which no rule matches. */
export function readablePath(path: string): string | null {
  try {
    return decodeURI(path).normalize('NFC');
  } catch {
    return null;
  }
}

/**
 * The redirects of a release. `from` is a decoded path, or ends with `/*`, which stands for the rest of the path and may come back as `:splat` in `to`. An exact path
 * wins over the rest of one, a longer one over a shorter one. The query of the request stays unless `to` has its own. One look-up costs as much with ten rules as with
 * ten thousand: one for the path, and one for each of its segments.
 */
export function createRedirects(redirects: readonly RedirectRule[]): Redirects {
  const exact = new Map<string, RedirectRule>();
  const splats = new Map<string, RedirectRule>();
  for (const redirect of redirects) {
    const from = redirect.from.normalize('NFC');
    if (from.endsWith('/*')) splats.set(from.slice(0, -1), redirect);
    else exact.set(from, redirect);
  }

  const applies = ({ expiresOn }: RedirectRule, today: (() => string) | undefined): boolean =>
    expiresOn === null || expiresOn === undefined || today === undefined || today() <= expiresOn;

  function splatAt(path: string, today: (() => string) | undefined): { readonly redirect: RedirectRule; readonly rest: string } | null {
    for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
      const redirect = splats.get(path.slice(0, end + 1));
      if (redirect && applies(redirect, today)) return { redirect, rest: path.slice(end + 1) };
    }
    return null;
  }

  return (path, query, today) => {
    const same = exact.get(path);
    const found = same && applies(same, today) ? { redirect: same, rest: '' } : splatAt(path, today);
    if (!found) return null;
    const { redirect, rest } = found;
    if (redirect.status === 410) return { status: 410, location: '', redirect };
    const location = inHeader(redirect.to.replace(hostThenSplat, '$1/')).replaceAll(':splat', () => inHeader(rest));
    // The rest of a path never names a host: `//elsewhere.example`.
    const safe = location.replace(/^[/\\]{2,}/, '/');
    return { status: redirect.status, location: query !== '' && !safe.includes('?') ? `${safe}?${query}` : safe, redirect };
  };
}
