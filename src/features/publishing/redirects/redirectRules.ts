import type { SiteParts } from '@contract/publishing/schemas';
import { publishingLimits } from '@contract/publishing/terms';
import { redirectProblems } from '@contract/seo/redirectGraph';
import type { HostRule, RedirectProblem, RedirectSite } from '@contract/seo/redirectGraph';
import type { ImportedRules, SkippedLine } from './import/importedRules';

export type RedirectList = SiteParts['redirects']['content'];
export type Redirect = RedirectList[number];
export const redirectStatuses = [301, 302, 307, 308, 410] as const satisfies readonly Redirect['status'][];

/** Without hostnames, as where nothing is known about them: only paths of the site itself are followed. */
const alone: RedirectSite = { primary: 'site.invalid', hosts: new Map([['site.invalid', { redirectsTo: null, keepPath: true }]]) };

/** Hostnames of a site as its redirects meet them. */
export function siteOf(use: { readonly primary: string | null; readonly hosts: readonly ({ readonly host: string } & HostRule)[] } | null): RedirectSite {
  if (!use || use.primary === null) return alone;
  return { primary: use.primary, hosts: new Map(use.hosts.map(({ host, redirectsTo, keepPath }) => [host, { redirectsTo, keepPath }])) };
}

/** Problems by index. */
export const problemsOf = (redirects: RedirectList, site: RedirectSite = alone): ReadonlyMap<number, RedirectProblem> =>
  new Map(redirectProblems(redirects, site).map((problem) => [problem.index, problem]));

/** Adds redirects, or replaces those of the same paths. */
export function putRedirects(redirects: RedirectList, added: readonly Redirect[]): RedirectList {
  const byPath = new Map([...redirects, ...added].map((one) => [one.from, one]));
  return [...byPath.values()];
}

/** A path, or the path of a whole address; null if it is neither. */
function pathIn(text: string): string | null {
  if (text.startsWith('/')) return text.length <= publishingLimits.path ? text : null;
  try {
    const { protocol, pathname } = new URL(text);
    return /^https?:$/.test(protocol) ? decodeURI(pathname) : null;
  } catch {
    return null;
  }
}

export const isTarget = (to: string): boolean => to.length <= 2000 && (/^\/(?![/\\])/.test(to) || /^https?:\/\/[^\s/]+/i.test(to));

/**
 * Reads redirects as people have them: one per line, the old and the new address and optionally the status, separated by blanks, tabs, commas, semicolons or arrows. A line
 * with only an old address and 410 is an address that is gone. Empty lines and those that begin with `#` do not count.
 */
export function readRedirects(text: string): ImportedRules {
  const redirects: Redirect[] = [];
  const skipped: SkippedLine[] = [];
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const cells = line.split(/[\s,;，；]+|\s*(?:->|=>|→)\s*/).filter((cell) => cell !== '' && !['->', '=>', '→'].includes(cell));
    const status = redirectStatuses.find((one) => String(one) === cells.at(-1));
    const [from = '', to = '', ...others] = status === undefined ? cells : cells.slice(0, -1);
    const path = pathIn(from);
    const isGone = status === 410;
    if (path === null || others.length > 0 || (isGone ? to !== '' : !isTarget(to))) skipped.push({ line: at + 1, text: line, reason: 'syntax' });
    else redirects.push({ from: path, to, status: status ?? 301, origin: 'person', note: '', expiresOn: null });
  }
  return { redirects, skipped };
}
