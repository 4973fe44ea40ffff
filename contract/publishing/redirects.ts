import type { z } from 'zod';
import type { RedirectsPart } from './parts';
import { compileRedirectPattern, groupMark, isPatternTarget, patternOf, redirectPatternLimits } from './redirectPattern';
import type { Groups, RedirectPattern } from './redirectPattern';

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

/** Paths that no pattern matched and that are remembered, so that pages that are often requested cost one look-up. */
const mostRemembered = 500;

type Compiled = { readonly redirect: RedirectRule; readonly pattern: RedirectPattern };
type PatternMatch = { readonly redirect: RedirectRule; readonly groups: Groups };

/** Finds the first pattern that matches a path, in their order; null: the site has none. */
function createPatterns(redirects: readonly RedirectRule[]): ((path: string, applies: (rule: RedirectRule) => boolean) => PatternMatch | null) | null {
  const tables = new Map<string, Uint8Array>();
  const compiled: Compiled[] = [];
  for (const redirect of redirects) {
    if (compiled.length === redirectPatternLimits.patterns) break;
    const source = patternOf(redirect.from);
    const pattern = source === null ? null : compileRedirectPattern(source, tables);
    if (pattern && isPatternTarget(redirect.to, pattern.groups)) compiled.push({ redirect, pattern });
  }
  if (compiled.length === 0) return null;
  const unmatched = new Set<string>();
  return (path, applies) => {
    if (path.length > redirectPatternLimits.path || unmatched.has(path)) return null;
    const budget = { left: redirectPatternLimits.steps };
    let isExpired = false;
    for (const { redirect, pattern } of compiled) {
      const groups = pattern.match(path, budget);
      if (groups && applies(redirect)) return { redirect, groups };
      isExpired ||= groups !== null;
    }
    if (unmatched.size >= mostRemembered) unmatched.clear();
    if (!isExpired) unmatched.add(path);
    return null;
  };
}

/**
 * Looks up redirects of a release. `from` is a decoded path, a path followed by `/*` (what `*` matches replaces `:splat` in `to`), or `~` and a regular expression (its groups
 * replace `$1` to `$9`). An exact path wins, then the longest matching `/*`, then the first matching pattern in the order of the list. The query of the request is appended
 * unless `to` has one. The time does not depend on the number of paths, only on the segments of the requested one; that of patterns is bounded by `redirectPatternLimits`.
 */
export function createRedirects(redirects: readonly RedirectRule[]): Redirects {
  const exact = new Map<string, RedirectRule>();
  const splats = new Map<string, RedirectRule>();
  for (const redirect of redirects) {
    const from = redirect.from.normalize('NFC');
    if (from.endsWith('/*') && from.startsWith('/')) splats.set(from.slice(0, -1), redirect);
    else exact.set(from, redirect);
  }
  const firstPattern = createPatterns(redirects);

  const applies = ({ expiresOn }: RedirectRule, today: (() => string) | undefined): boolean =>
    expiresOn === null || expiresOn === undefined || today === undefined || today() <= expiresOn;

  function splatAt(path: string, today: (() => string) | undefined): Located | null {
    for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
      const redirect = splats.get(path.slice(0, end + 1));
      if (redirect && applies(redirect, today)) return { redirect, location: withRest(redirect.to, path.slice(end + 1)) };
    }
    return null;
  }

  function patternAt(path: string, today: (() => string) | undefined): Located | null {
    const found = firstPattern?.(path, (redirect) => applies(redirect, today));
    return found ? { redirect: found.redirect, location: withGroups(found.redirect.to, found.groups) } : null;
  }

  return (path, query, today) => {
    const same = exact.get(path);
    const found = same && applies(same, today) ? { redirect: same, location: withRest(same.to, '') } : (splatAt(path, today) ?? patternAt(path, today));
    if (!found) return null;
    const { redirect, location } = found;
    if (redirect.status === 410) return { status: 410, location: '', redirect };
    // The rest of a path never names a host: `//elsewhere.example`.
    const safe = location.replace(/^[/\\]{2,}/, '/');
    return { status: redirect.status, location: query !== '' && !safe.includes('?') ? `${safe}?${query}` : safe, redirect };
  };
}

type Located = { readonly redirect: RedirectRule; readonly location: string };
const withRest = (to: string, rest: string): string => inHeader(to.replace(hostThenSplat, '$1/')).replaceAll(':splat', () => inHeader(rest));
const withGroups = (to: string, groups: Groups): string =>
  inHeader(to).replaceAll(groupMark, (_mark, number: string) => inHeader(groups[Number(number)] ?? ''));
