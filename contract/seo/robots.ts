/**
 * Reads robots.txt and matches addresses by RFC 9309, as the tester, the comparison with known addresses and the crawler need it. Deviations, both in favour of files as
 * they are: product tokens may contain digits (`360Spider`, `MJ12bot`), and the few misspellings that Google accepts are accepted.
 */

/** Bytes that are read, the minimum of RFC 9309, 2.5. What follows is ignored, and so is a line that is cut. */
export const robotsBytes = 500 * 1024;

export type RobotsRule = {
  readonly allow: boolean;
  /** As written. */
  readonly path: string;
  /** Counts from 1. */
  readonly line: number;
};
type CompiledRule = RobotsRule & { readonly segments: readonly string[]; readonly anchored: boolean; readonly length: number };
type Group = { readonly agents: Set<string>; readonly rules: CompiledRule[] };

export type Robots = {
  readonly groups: readonly { readonly agents: ReadonlySet<string>; readonly rules: readonly CompiledRule[] }[];
  /** Values of `Sitemap`, which belong to no group. */
  readonly sitemaps: readonly string[];
  /** Whether the file is longer than what is read. */
  readonly truncated: boolean;
};

/** `rule`: the one that decided; null: none applies, so the address is allowed. */
export type RobotsVerdict = { readonly allowed: boolean; readonly rule: RobotsRule | null };

export type RobotsKey = 'user-agent' | 'allow' | 'disallow' | 'sitemap';
/** Keys as people write them. */
const keys: ReadonlyMap<string, RobotsKey> = new Map<string, RobotsKey>([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
]);

/** One line of a file. `key`: null if it is none of RFC 9309. `name`: the key as written, in lower case. */
export type RobotsLine = { readonly line: number; readonly key: RobotsKey | null; readonly name: string; readonly value: string };

const separator = /^([^:]*?)[ \t]*:[ \t]*(.*)$/;
/** A missing colon, where there is no doubt about what is meant. */
const withoutColon = /^([a-z-]+)[ \t]+(\S+)$/i;

function readable(text: string): { readonly text: string; readonly truncated: boolean } {
  const whole = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const { read } = new TextEncoder().encodeInto(whole, new Uint8Array(robotsBytes));
  if (read === whole.length) return { text: whole, truncated: false };
  const end = Math.max(whole.lastIndexOf('\n', read - 1), whole.lastIndexOf('\r', read - 1));
  return { text: whole.slice(0, end + 1), truncated: true };
}

const linesOf = (text: string): RobotsLine[] =>
  text.split(/\r\n|\r|\n/).flatMap((written, at) => {
    const [content = ''] = written.split('#', 1);
    const [, name = '', value = ''] = separator.exec(content.trim()) ?? withoutColon.exec(content.trim()) ?? [];
    const known = name.trim().toLowerCase();
    return known === '' ? [] : [{ line: at + 1, key: keys.get(known) ?? null, name: known, value }];
  });

/** Lines that have a key, without comments. */
export const robotsLines = (text: string): RobotsLine[] => linesOf(readable(text).text);

/** `*`, or the product token at the beginning of a value or user agent, in lower case; empty if there is none. */
const tokenOf = (value: string): string => (/^\*(?:\s|$)/.test(value) ? '*' : (/^[\w-]+/.exec(value.trim())?.[0] ?? '').toLowerCase());

const unreserved = /[A-Za-z\d\-._~]/;
/** Visible ASCII without `%`, as most paths are: in that form already. */
const plain = /^[!-$&-~]*$/;
/** Percent-encoding is compared in one form: unreserved characters decoded, everything outside ASCII encoded, digits in upper case (RFC 9309, 2.2.2). */
function normalized(path: string): string {
  if (plain.test(path)) return path;
  return path
    .replaceAll(/\p{Surrogate}/gu, '')
    .replaceAll(/[^\u0021-\u007e]+/g, (text) => encodeURIComponent(text))
    .replaceAll(/%([\da-f]{2})/gi, (encoded, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return unreserved.test(character) ? character : encoded.toUpperCase();
    });
}

function compile(allow: boolean, path: string, line: number): CompiledRule {
  const anchored = path.endsWith('$');
  // A dollar sign elsewhere, and an encoded asterisk, stand for themselves (RFC 9309, 2.2.3).
  const pattern = normalized(anchored ? path.slice(0, -1) : path).replaceAll('$', '%24');
  return { allow, path, line, segments: pattern.split('*'), anchored, length: pattern.length + (anchored ? 1 : 0) };
}

/** Takes the earliest place of every part between asterisks; that is enough, because only the end can be fixed, and is checked from the right. */
function matches({ segments, anchored }: CompiledRule, path: string): boolean {
  const [first = '', ...others] = segments;
  if (!path.startsWith(first)) return false;
  if (others.length === 0) return !anchored || path.length === first.length;
  const last = anchored ? (others.pop() ?? '') : '';
  let at = first.length;
  for (const segment of others) {
    const found = path.indexOf(segment, at);
    if (found < 0) return false;
    at = found + segment.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

export function parseRobots(file: string): Robots {
  const { text, truncated } = readable(file);
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  /** Whether the next line with an agent belongs to the present group. Lines that are neither agents nor rules do not end it. */
  let naming = false;
  for (const { key, value, line } of linesOf(text)) {
    const group = groups.at(-1);
    if (key === 'sitemap') sitemaps.push(value);
    else if (key === 'user-agent') {
      if (group && naming) group.agents.add(tokenOf(value));
      else groups.push({ agents: new Set([tokenOf(value)]), rules: [] });
      naming = true;
    } else if (key !== null) {
      naming = false;
      if (value !== '') group?.rules.push(compile(key === 'allow', value, line));
    }
  }
  return { groups, sitemaps, truncated };
}

/** Path and query of an address or a path, as rules see them. */
function pathOfAddress(address: string): string {
  const [beforeFragment = ''] = address.split('#', 1);
  const path = beforeFragment.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Path and query in the form that is compared: asterisks and dollar signs of addresses are none of patterns. */
const comparable = (written: string): string => normalized(written).replaceAll('*', '%2A').replaceAll('$', '%24');

/** Whether addresses begin with one of the patterns, which are of the kind that robots.txt has: `*` for any characters, `$` for the end. Linear in the length of both. */
export function pathPatterns(patterns: readonly string[]): (address: string) => boolean {
  const rules = patterns.map((pattern) => compile(true, pattern, 0));
  return (address) => {
    const path = comparable(pathOfAddress(address));
    return rules.some((rule) => matches(rule, path));
  };
}

export const pathPattern = (pattern: string): ((address: string) => boolean) => pathPatterns([pattern]);

/** Rules for a crawler: those of all groups that name it, else those of `*`. */
function rulesFor({ groups }: Robots, agents: readonly string[]): readonly CompiledRule[] {
  for (const agent of [...agents.map(tokenOf), '*']) {
    const own = agent === '' ? [] : groups.filter((group) => group.agents.has(agent));
    if (own.length > 0) return own.flatMap(({ rules }) => rules);
  }
  return [];
}

/**
 * Whether a crawler may request an address. The longest rule that matches decides; of two with the same length the one that allows.
 *
 * @param agent A product token or user agent that begins with one; several, such as `['Googlebot-Image', 'Googlebot']`, where a crawler obeys the first that has a group.
 * @param address An address, or a path with its query.
 */
export function robotsVerdict(robots: Robots, agent: string | readonly string[], address: string): RobotsVerdict {
  const written = pathOfAddress(address);
  if (written === '/robots.txt') return { allowed: true, rule: null };
  const path = comparable(written);
  let best: CompiledRule | null = null;
  for (const rule of rulesFor(robots, typeof agent === 'string' ? [agent] : agent)) {
    if (best !== null && (rule.length < best.length || (rule.length === best.length && (best.allow || !rule.allow)))) continue;
    if (matches(rule, path)) best = rule;
  }
  return best === null ? { allowed: true, rule: null } : { allowed: best.allow, rule: { allow: best.allow, path: best.path, line: best.line } };
}
