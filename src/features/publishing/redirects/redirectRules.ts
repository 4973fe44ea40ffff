import type { SiteParts } from '@contract/publishing/schemas';
import { publishingLimits } from '@contract/publishing/terms';

export type RedirectList = SiteParts['redirects']['content'];
export type Redirect = RedirectList[number];
export const redirectStatuses = [301, 302, 307, 308, 410] as const satisfies readonly Redirect['status'][];

/** `chain`: it leads to another redirect, so visitors are redirected twice. `loop`: it never arrives. */
export type Warning = 'chain' | 'loop';

const localPath = (to: string): string | null => (to.startsWith('/') && !to.startsWith('//') ? (to.split(/[?#]/)[0] ?? '') : null);

/** What a path leads to by the rules of delivery: an exact path first, then the longest beginning with `/*`. */
function makeFollow(redirects: RedirectList): (path: string) => Redirect | undefined {
  const exact = new Map(redirects.filter(({ from }) => !from.endsWith('/*')).map((one) => [one.from, one]));
  const rest = redirects.filter(({ from }) => from.endsWith('/*')).toSorted((a, b) => b.from.length - a.from.length);
  return (path) => exact.get(path) ?? rest.find(({ from }) => path.startsWith(from.slice(0, -1)));
}

/** Warnings by index. A redirect with a rest is followed with an example for the rest. */
export function warningsOf(redirects: RedirectList): ReadonlyMap<number, Warning> {
  const follow = makeFollow(redirects);
  const targetOf = ({ to }: Redirect): string | null => localPath(to.replaceAll(':splat', 'x'));
  const warnings = new Map<number, Warning>();
  for (const [at, redirect] of redirects.entries()) {
    if (redirect.status === 410) continue;
    const visited = new Set<Redirect>([redirect]);
    let next = targetOf(redirect);
    while (next !== null) {
      const step = follow(next);
      if (!step || step.status === 410) break;
      warnings.set(at, visited.has(step) ? 'loop' : 'chain');
      if (visited.has(step)) break;
      visited.add(step);
      next = targetOf(step);
    }
  }
  return warnings;
}

/** Adds redirects, or replaces those of the same paths. */
export function putRedirects(redirects: RedirectList, added: readonly Redirect[]): RedirectList {
  const byPath = new Map([...redirects, ...added].map((one) => [one.from, one]));
  return [...byPath.values()];
}

export type LineError = { readonly line: number; readonly text: string };
export type ReadLines = { readonly redirects: readonly Redirect[]; readonly errors: readonly LineError[] };

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
export function readRedirects(text: string): ReadLines {
  const redirects: Redirect[] = [];
  const errors: LineError[] = [];
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const cells = line.split(/[\s,;，；]+|\s*(?:->|=>|→)\s*/).filter((cell) => cell !== '' && !['->', '=>', '→'].includes(cell));
    const status = redirectStatuses.find((one) => String(one) === cells.at(-1));
    const [from = '', to = '', ...others] = status === undefined ? cells : cells.slice(0, -1);
    const path = pathIn(from);
    const isGone = status === 410;
    if (path === null || others.length > 0 || (isGone ? to !== '' : !isTarget(to))) errors.push({ line: at + 1, text: line });
    else redirects.push({ from: path, to, status: status ?? 301 });
  }
  return { redirects, errors };
}
