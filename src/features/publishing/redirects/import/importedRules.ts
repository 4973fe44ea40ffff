import { readablePath } from '@contract/publishing/redirects';
import { publishingLimits } from '@contract/publishing/terms';
import { isTarget, redirectStatuses } from '../redirectRules';
import type { Redirect } from '../redirectRules';

/** Why a line of a file is left out: it is no rule, a rule that redirects of a site cannot express, or one of another host. */
export type SkipReason = 'syntax' | 'not_supported' | 'not_this_site';
export type SkippedLine = { readonly line: number; readonly text: string; readonly reason: SkipReason };
export type ImportedRules = { readonly redirects: readonly Redirect[]; readonly skipped: readonly SkippedLine[] };
/** What one rule of a file becomes. */
export type Reading = { readonly redirects: readonly Redirect[] } | { readonly reason: SkipReason };

export const statusOf = (text: string): Redirect['status'] | undefined => redirectStatuses.find((one) => String(one) === text);

/** A redirect as it is stored; null if an address is none. */
export function redirectOf(from: string, to: string, status: Redirect['status']): Redirect | null {
  const isGone = status === 410;
  if (!from.startsWith('/') || from.length > publishingLimits.path || (!isGone && !isTarget(to))) return null;
  return { from: readablePath(from) ?? from, to: isGone ? '' : to, status, origin: 'import', note: '', expiresOn: null };
}

export function readingOf(...redirects: readonly (Redirect | null)[]): Reading {
  const valid = redirects.filter((one) => one !== null);
  return valid.length === redirects.length ? { redirects: valid } : { reason: 'syntax' };
}

/** Collects what the rules of a file become, line by line. */
export function collectRules(): { readonly add: (line: number, text: string, reading: Reading) => void; readonly result: () => ImportedRules } {
  const redirects: Redirect[] = [];
  const skipped: SkippedLine[] = [];
  return {
    add(line, text, reading) {
      if ('redirects' in reading) redirects.push(...reading.redirects);
      else skipped.push({ line, text: text.slice(0, 200), reason: reading.reason });
    },
    result: () => ({ redirects, skipped }),
  };
}

/** A path and everything below it, as a prefix of Apache and nginx matches; a file has nothing below it. */
export function prefixReading(prefix: string, target: string, status: Redirect['status']): Reading {
  const base = prefix.replace(/\/$/, '');
  if (/\.\w{2,5}$/.test(base)) return readingOf(redirectOf(base, target, status));
  const below = status === 410 ? '' : `${target.replace(/\/$/, '')}/:splat`;
  return readingOf(...(base === '' ? [] : [redirectOf(base, target, status)]), redirectOf(`${base}/*`, below, status));
}

const special = /[()[\]{}|+*?^$\\]/;
const literalOf = (pattern: string): string | null => {
  const plain = pattern.replaceAll(/\\([.\-/_ ~])/g, '$1');
  return special.test(plain) ? null : plain;
};

/**
 * A regular expression as redirects of a site can express it: a fixed path, or a fixed beginning with one group for the rest, `$1` in the target. Everything else is not
 * supported.
 */
export function patternReading(pattern: string, target: string, status: Redirect['status']): Reading {
  const anchored = pattern.replace(/^\^\/?/, '/');
  const [, head = '', tail] = /^(.*?)(\(\.[*+]\)\??|\.\*)?\$?$/s.exec(anchored) ?? [];
  const literal = literalOf(head.replace(/\/\?$/, ''));
  if (literal === null || !literal.startsWith('/')) return { reason: 'not_supported' };
  const isOpen = tail === undefined && !pattern.endsWith('$');
  const groups = target.match(/[$\\]\d/g) ?? [];
  if (tail === undefined) {
    if (groups.length > 0) return { reason: 'not_supported' };
    return readingOf(redirectOf(literal, target, status), ...(isOpen ? [redirectOf(`${literal.replace(/\/$/, '')}/*`, target, status)] : []));
  }
  // `/old(.*)` also matches `/older`, which no rule of a site expresses.
  if (!literal.endsWith('/') || groups.some((group) => !group.endsWith('1'))) return { reason: 'not_supported' };
  return readingOf(redirectOf(`${literal}*`, target.replaceAll(/[$\\]1/g, ':splat'), status));
}
