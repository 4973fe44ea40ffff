import type { SiteParts } from '@contract/publishing/schemas';
import { compileRedirectPattern, isPatternTarget, patternOf } from '@contract/publishing/redirectPattern';
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

/** Redirects that can be added without a loop, and the paths of those that cannot. */
export function withoutLoops(
  redirects: RedirectList,
  added: readonly Redirect[],
  site?: RedirectSite,
): { readonly fitting: readonly Redirect[]; readonly loops: string[] } {
  const loops = new Set<string>();
  for (let fitting = added; ;) {
    const froms = new Set(fitting.map(({ from }) => from));
    const after = putRedirects(redirects, fitting);
    const found = [...problemsOf(after, site).values()].flatMap(({ code, index }) => {
      const from = after[index]?.from ?? '';
      return (code === 'loop' || code === 'endless') && froms.has(from) ? [from] : [];
    });
    if (found.length === 0) return { fitting, loops: [...loops] };
    for (const from of found) loops.add(from);
    fitting = fitting.filter(({ from }) => !loops.has(from));
  }
}

/** Puts a redirect in the place of another one, because patterns are evaluated in their order. */
export const replaceRedirect = (redirects: RedirectList, at: number, by: Redirect): RedirectList =>
  redirects.flatMap((one, index) => (index === at ? [by] : one.from === by.from ? [] : [one]));

export const isPattern = ({ from }: Pick<Redirect, 'from'>): boolean => patternOf(from) !== null;

/** Positions of the patterns, in the order of their evaluation. */
export const patternPlaces = (redirects: RedirectList): number[] => redirects.flatMap((one, at) => (isPattern(one) ? [at] : []));

/** Moves a pattern before the previous one (-1) or behind the next one (1). */
export function movePattern(redirects: RedirectList, at: number, by: -1 | 1): RedirectList {
  const places = patternPlaces(redirects);
  const other = places[places.indexOf(at) + by];
  const [moved, passed] = [redirects[at], other === undefined ? undefined : redirects[other]];
  return moved && passed ? redirects.map((one, index) => (index === at ? passed : index === other ? moved : one)) : redirects;
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

/** A rule by pattern as it is stored; null: the regular expression or the target is none. */
export function patternRule(source: string, to: string, status: Redirect['status']): Pick<Redirect, 'from' | 'to' | 'status'> | null {
  const pattern = compileRedirectPattern(source.trim());
  const isValid = pattern && (status === 410 || (isTarget(to) && isPatternTarget(to, pattern.groups)));
  return isValid ? { from: `~${source.trim()}`, to: status === 410 ? '' : to, status } : null;
}

export const isTarget = (to: string): boolean => to.length <= 2000 && (/^\/(?![/\\])/.test(to) || /^https?:\/\/[^\s/]+/i.test(to));

/**
 * Reads redirects as people have them: one per line, the old and the new address and optionally the status, separated by blanks, tabs, commas, semicolons or arrows. A line
 * with only an old address and 410 is an address that is gone. A pattern begins with `~`, and only blanks and arrows separate it. Empty lines and those that begin with
 * `#` do not count.
 */
export function readRedirects(text: string): ImportedRules {
  const redirects: Redirect[] = [];
  const skipped: SkippedLine[] = [];
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const separator = line.startsWith('~') ? /\s+(?:(?:->|=>|→)\s+)?/ : /[\s,;，；]+|\s*(?:->|=>|→)\s*/;
    const cells = line
      .replace(/^~\s+/, '~')
      .split(separator)
      .filter((cell) => cell !== '' && !['->', '=>', '→'].includes(cell));
    const status = redirectStatuses.find((one) => String(one) === cells.at(-1));
    const [from = '', to = '', ...others] = status === undefined ? cells : cells.slice(0, -1);
    const isGone = status === 410;
    const path = isPattern({ from }) ? (patternRule(from.slice(1), to, status ?? 301)?.from ?? null) : pathIn(from);
    if (path === null || others.length > 0 || (isGone ? to !== '' : !isTarget(to))) skipped.push({ line: at + 1, text: line, reason: 'syntax' });
    else redirects.push({ from: path, to, status: status ?? 301, origin: 'person', note: '', expiresOn: null });
  }
  return { redirects, skipped };
}
