import { getDomain } from 'tldts';
import type { CrawlerConfig } from '../../../../contract/crawler/config';
import { crawlLimits } from '../../../../contract/crawler/terms';
import type { SkipReason } from '../../../../contract/crawler/terms';
import { compilePattern } from '../../../../contract/tables/pattern';
import { normalizeUrl, splitUrl } from './normalize';

export type UrlTest = (url: string) => boolean;

/** The parts between asterisks in their earliest places, which is enough because only begin and end are fixed. */
function glob(pattern: string): UrlTest {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  return (text) => {
    if (last === undefined) return text === first;
    if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
    let at = first.length;
    for (const part of others) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - last.length >= at;
  };
}

/** A pattern of `include`, `exclude` or an extraction: `/…/` is a regular expression that is searched for; a pattern that begins with a slash applies to path and query. Null: invalid. */
export function compileUrlPattern(pattern: string): UrlTest | null {
  if (pattern.length > 2 && pattern.startsWith('/') && pattern.endsWith('/') && /[\\^$.|?+()[\]{}*]/.test(pattern)) {
    const test = compilePattern(`.*(?:${pattern.slice(1, -1)}).*`);
    return test;
  }
  const test = glob(pattern);
  return pattern.startsWith('/') ? (url) => test(splitUrl(url).rest) : test;
}

const testsOf = (patterns: readonly string[]): UrlTest[] =>
  patterns.filter((pattern) => pattern.trim() !== '').map((pattern) => compileUrlPattern(pattern.trim()) ?? (() => false));

const domainOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;
const withoutWww = (host: string): string => (host.startsWith('www.') ? host.slice(4) : host);
/** Up to the last slash. */
const folderOf = (url: string): string => url.slice(0, Math.max(url.split('?', 1)[0]?.lastIndexOf('/') ?? 0, splitUrl(url).origin.length) + 1);

const pathDepth = (rest: string): number => (rest.split('?', 1)[0] ?? '').split('/').filter((segment) => segment !== '').length;
const isRepeating = (path: string): boolean => /(\/[^/]+\/[^/]+)\1{2}|(\/[^/]+)\2{3}/.test(path);

/** Form of an address that no page of value has, whatever it contains. */
function trapReason(host: string, rest: string, length: number): SkipReason | null {
  if (length > crawlLimits.urlLength) return 'too_long';
  const question = rest.indexOf('?');
  if (question >= 0 && rest.slice(question + 1).split('&').length > crawlLimits.queryParameters) return 'pattern';
  const path = question < 0 ? rest : rest.slice(0, question);
  return isRepeating(path) || (host.includes('.') && path.includes(`/${host}/`)) ? 'pattern' : null;
}

export type Scope = {
  /** Whether an address belongs to the crawled site, whether or not it is crawled. */
  readonly isInternal: UrlTest;
  /** Whether a host, with its port, is that of a seed, with or without `www`. */
  readonly isSeedHost: (host: string) => boolean;
  /** Why an address of the site is not crawled; null: it is. */
  readonly skip: (url: string, depth: number) => SkipReason | null;
  /** A seed leads to another host of its domain: that one is crawled, too. */
  readonly addHost: (url: string) => boolean;
  /** Addresses of the hosts that were added. */
  readonly addedHosts: () => readonly string[];
};

export function createScope({ seeds, scope }: Pick<CrawlerConfig, 'seeds' | 'scope'>): Scope {
  const starts = seeds.flatMap((seed) => normalizeUrl(seed, undefined, scope.dropParameters) ?? []);
  const seedHosts: ReadonlySet<string> = new Set(starts.map((url) => withoutWww(splitUrl(url).host)));
  const hosts = new Set(seedHosts);
  const domains = new Set(starts.map((url) => domainOf(splitUrl(url).host)));
  const folders = [...new Set(starts.map(folderOf))];
  const listed = new Set(starts);
  const include = testsOf(scope.include);
  const exclude = testsOf(scope.exclude);
  const known = new Map<string, boolean>();
  const added = new Set<string>();

  function isOwnHost(host: string): boolean {
    let own = known.get(host);
    if (own === undefined) {
      own = scope.mode === 'domain' ? domains.has(domainOf(host)) : hosts.has(withoutWww(host));
      if (known.size > 10_000) known.clear();
      known.set(host, own);
    }
    return own;
  }

  /** Most links of a page lead to one host: its beginning of addresses, and whether it is the site's. */
  let latest = { start: '\n', own: false };
  function isInternal(url: string): boolean {
    if (!url.startsWith(latest.start)) {
      const { origin, host } = splitUrl(url);
      latest = { start: `${origin}/`, own: isOwnHost(host) };
    }
    return latest.own;
  }

  return {
    isInternal,
    isSeedHost: (host) => seedHosts.has(withoutWww(host)),
    skip(url, depth) {
      if (listed.has(url)) return null;
      const { host, rest } = splitUrl(url);
      if (scope.mode === 'list') return 'scope';
      if (scope.mode === 'prefix' && !folders.some((folder) => url.startsWith(folder))) return 'scope';
      const trap = trapReason(host, rest, url.length);
      if (trap !== null) return trap;
      if (scope.maxDepth !== null && depth > scope.maxDepth) return 'depth';
      if (scope.maxPathDepth !== null && pathDepth(rest) > scope.maxPathDepth) return 'depth';
      if (exclude.some((test) => test(url))) return 'scope';
      return include.length > 0 && !include.some((test) => test(url)) ? 'scope' : null;
    },
    addHost(url) {
      const { origin, host } = splitUrl(url);
      if (!domains.has(domainOf(host))) return false;
      hosts.add(withoutWww(host));
      added.add(`${origin}/`);
      known.clear();
      latest = { start: '\n', own: false };
      return true;
    },
    addedHosts: () => [...added],
  };
}
