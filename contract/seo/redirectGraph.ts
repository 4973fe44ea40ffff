import { createRedirects, readablePath } from '../publishing/redirects';
import type { RedirectRule, Redirects } from '../publishing/redirects';
import { parseUrl } from '../parseUrl';
import { compileRedirectPattern, patternOf } from '../publishing/redirectPattern';

/** What redirects of a site lead to, all together: the tester, the check on saving, and the suggestions to shorten chains. */

/** What a hostname of the site does: it serves, or redirects to another one. */
export type HostRule = { readonly redirectsTo: string | null; readonly keepPath: boolean };
export type RedirectSite = {
  /** The host of its main address, and all of its hosts, in lower case. */
  readonly primary: string;
  readonly hosts: ReadonlyMap<string, HostRule>;
};

/** Hops after which browsers give up (WHATWG Fetch, HTTP-redirect fetch). */
export const mostHops = 20;

/** `redirect`: null where the hostname redirects. `location`: as sent. */
export type Hop = { readonly redirect: RedirectRule | null; readonly location: string };
/**
 * `page`: a path of the site that no rule redirects, whether or not it exists. `gone`: status 410. `elsewhere`: another site. `loop`: an address that was visited before.
 * `endless`: more hops than browsers follow, as where a rule lengthens its own addresses.
 */
export type TrailEnd = 'page' | 'gone' | 'elsewhere' | 'loop' | 'endless';
export type Trail = { readonly hops: readonly Hop[]; readonly end: TrailEnd };

type Place = { readonly host: string; readonly path: string; readonly query: string };

/** Where a location leads within the site; null: elsewhere. */
function placeOf(location: string, host: string, { hosts }: RedirectSite): Place | null {
  const base = `https://${host}`;
  const url = parseUrl(location, base);
  if (url === null || !/^https?:$/.test(url.protocol) || !hosts.has(url.hostname)) return null;
  return { host: url.hostname, path: url.pathname, query: url.search.slice(1) };
}

/** One hop from a place: of the hostname, else of the rules. */
function hopFrom({ host, path, query }: Place, redirects: Redirects, { hosts }: RedirectSite): { readonly hop: Hop; readonly gone: boolean } | null {
  const rule = hosts.get(host);
  if (rule && rule.redirectsTo !== null) {
    const tail = rule.keepPath ? `${path}${query === '' ? '' : `?${query}`}` : '/';
    return { hop: { redirect: null, location: `https://${rule.redirectsTo}${tail}` }, gone: false };
  }
  const readable = readablePath(path);
  const match = readable === null ? null : redirects(readable, query);
  return match === null ? null : { hop: { redirect: match.redirect, location: match.location }, gone: match.status === 410 };
}

/** Follows an address (or a path on the main host) through hostnames and rules. */
export function followRedirects(redirects: Redirects, site: RedirectSite, address: string): Trail {
  const hops: Hop[] = [];
  const visited = new Set<string>();
  let place = placeOf(address, site.primary, site);
  while (place !== null) {
    const key = `${place.host}${place.path}?${place.query}`;
    if (visited.has(key)) return { hops, end: 'loop' };
    if (hops.length >= mostHops) return { hops, end: 'endless' };
    visited.add(key);
    const next = hopFrom(place, redirects, site);
    if (next === null) return { hops, end: 'page' };
    hops.push(next.hop);
    if (next.gone) return { hops, end: 'gone' };
    place = placeOf(next.hop.location, place.host, site);
  }
  return { hops, end: 'elsewhere' };
}

/**
 * What may be wrong with a rule. `duplicate`: a later rule has the same beginning, so this one never applies. `loop`, `endless`: see `TrailEnd`; the rule is part of it or leads to it.
 * `covered`: of a pattern, whose example another rule takes. `chain`: more than one hop; `target` is what the rule could lead to instead, null where that depends on a pattern.
 */
export type RedirectProblemCode = 'duplicate' | 'covered' | 'loop' | 'endless' | 'chain';
export type RedirectProblem = {
  /** Position of the rule. */
  readonly index: number;
  readonly code: RedirectProblemCode;
  /** The locations one after the other. */
  readonly locations: readonly string[];
  readonly target: string | null;
};

/** Stands for the rest of a path; no other rule names it. */
const sample = 'sitewright-example';

const isPattern = ({ from }: RedirectRule): boolean => patternOf(from) !== null;

/** An address to which a rule applies, if no other one does; null: none is known. */
function exampleOf({ from }: RedirectRule): string | null {
  const source = patternOf(from);
  if (source !== null) return compileRedirectPattern(source)?.example() ?? null;
  return from.endsWith('/*') ? `${from.slice(0, -1)}${sample}` : from;
}

/** Problems of all rules, in their order; at most one per rule. Of a pattern, and of the rest of a path, an example is followed: other addresses may have other problems. */
export function redirectProblems(rules: readonly RedirectRule[], site: RedirectSite): RedirectProblem[] {
  const redirects = createRedirects(rules);
  const last = new Map(rules.map(({ from }, at) => [from.normalize('NFC'), at]));
  return rules.flatMap((rule, index): RedirectProblem[] => {
    if (last.get(rule.from.normalize('NFC')) !== index) return [{ index, code: 'duplicate', locations: [], target: null }];
    const start = exampleOf(rule);
    if (start === null) return [];
    const { hops, end } = followRedirects(redirects, site, `https://${site.primary}${encodeURI(start).replaceAll('?', '%3F').replaceAll('#', '%23')}`);
    const locations = hops.map(({ location }) => location);
    if (end === 'loop' || end === 'endless') return [{ index, code: end, locations, target: null }];
    if (isPattern(rule) && hops[0]?.redirect !== rule) return [{ index, code: 'covered', locations: [hops[0]?.redirect?.from ?? ''], target: null }];
    if (hops.length < 2 || end === 'gone') return [];
    // What a pattern does with the example says nothing about the rest of other paths.
    const isKnown = !hops.some(({ redirect }) => redirect && isPattern(redirect)) || (!isPattern(rule) && !rule.from.endsWith('/*'));
    return [{ index, code: 'chain', locations, target: isKnown ? (locations.at(-1) ?? '').replaceAll(sample, ':splat') : null }];
  });
}

/** The rules with every chain replaced by one hop. Loops remain, because nobody can know where they should lead. */
export function withoutChains<T extends RedirectRule>(rules: readonly T[], site: RedirectSite): T[] {
  const targets = new Map(
    redirectProblems(rules, site).flatMap(({ index, code, target }) => (code === 'chain' && target !== null ? [[index, target] as const] : [])),
  );
  return rules.map((rule, index) => ({ ...rule, to: targets.get(index) ?? rule.to }));
}
