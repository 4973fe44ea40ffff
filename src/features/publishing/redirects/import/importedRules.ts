import { readablePath } from '@contract/publishing/redirects';
import { publishingLimits } from '@contract/publishing/terms';
import { isPattern, isTarget, patternRule, redirectStatuses } from '../redirectRules';
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
  const imported = { origin: 'import', note: '', expiresOn: null } as const;
  if (isPattern({ from })) {
    const rule = patternRule(from.slice(1), to, status);
    return rule && { ...rule, ...imported };
  }
  const isGone = status === 410;
  if (!from.startsWith('/') || from.length > publishingLimits.path || (!isGone && !isTarget(to))) return null;
  return { from: readablePath(from) ?? from, to: isGone ? '' : to, status, ...imported };
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

/** A regular expression that is a fixed path, or a fixed beginning with one group for the rest: a redirect of a path, which costs less than a pattern. Null: it is neither. */
function pathReading(pattern: string, target: string, status: Redirect['status']): Reading | null {
  const anchored = pattern.replace(/^\^\/?\??/, '/');
  const [, head = '', tail] = /^(.*?)(\(\.[*+]\)\??|\.\*)?\$?$/s.exec(anchored) ?? [];
  const literal = literalOf(head.replace(/\/\?$/, ''));
  if (literal === null || !literal.startsWith('/')) return null;
  const isOpen = tail === undefined && !pattern.endsWith('$');
  const groups = target.match(/\$\d/g) ?? [];
  if (tail === undefined) {
    if (groups.length > 0) return null;
    return readingOf(redirectOf(literal, target, status), ...(isOpen ? [redirectOf(`${literal.replace(/\/$/, '')}/*`, target, status)] : []));
  }
  // `/old(.*)` also matches `/older`.
  if (!literal.endsWith('/') || groups.some((group) => !group.endsWith('1'))) return null;
  return readingOf(redirectOf(`${literal}*`, target.replaceAll('$1', ':splat'), status));
}

/** Without escapes and classes, and with groups as one character. */
function outline(pattern: string): string {
  const plain = pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x');
  const without = plain.replaceAll(/\([^()]*\)/g, 'x');
  return without === plain ? plain : outline(without);
}

/**
 * A regular expression that servers search for in a path, as one for the whole path. `isRelative`: it is compared without the slash at the beginning of the path. Null: that
 * cannot be expressed.
 */
function wholePattern(pattern: string, isRelative: boolean): string | null {
  // JavaScript knows no escapes of characters that mean nothing: `\-`, `\_`.
  const source = pattern.replaceAll(/\[(?:\\.|[^\]])*\]|\\([^\w^$\\.*+?()[\]{}|/]|_)/g, (whole, plain?: string) => plain ?? whole);
  const lead = isRelative ? '/' : '';
  if (outline(source).includes('|')) return isRelative && source.includes('^') ? null : `${lead}.*?(?:${source}).*`;
  const begins = source.startsWith('^');
  const ends = /(?:^|[^\\])(?:\\\\)*\$$/.test(source);
  const inner = source.slice(begins ? 1 : 0, ends ? -1 : undefined);
  const rest = ends ? '' : '.*';
  if (begins) return `${lead}${isRelative ? inner.replace(/^\/\??/, '') : inner}${rest}`;
  return `${inner.startsWith('/') ? '' : lead}.*?${inner}${rest}`;
}

/** A target with `$1` for groups that were named or written as `\1`; null: it has variables of the server. */
function targetWithGroups(pattern: string, target: string): string | null {
  const names = Array.from(pattern.matchAll(/\\.|\((?!\?)|\(\?P?<([A-Za-z_]\w*)>/g), ([found, name]) => (found.startsWith('(') ? [name ?? ''] : [])).flat();
  const numbered = target
    .replaceAll(/\\(\d)/g, '$$$1')
    .replace(/\$is_args\$args$|\?\$(?:args|query_string)$/, '')
    .replaceAll(/\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g, (variable, plain?: string, braced?: string) => {
      const number = names.indexOf(plain ?? braced ?? '') + 1;
      return number === 0 ? variable : `$${String(number)}`;
    });
  if (/\$[A-Za-z_{]|%\{|%\d(?![\dA-Fa-f])/.test(numbered)) return null;
  // Of Apache: the group begins with the slash of the path.
  return numbered.startsWith('$') ? `/${numbered}` : numbered;
}

/**
 * A regular expression of a server with its target: as redirects of paths where it can be, else as a pattern. `isRelative`: it is compared without the slash at the beginning of
 * the path. Look-around and references to groups have no equivalent.
 */
export function patternReading(pattern: string, target: string, status: Redirect['status'], isRelative = false): Reading {
  const to = status === 410 ? '' : targetWithGroups(pattern, target);
  if (to === null) return { reason: 'not_supported' };
  const reading = pathReading(pattern, to, status);
  if (reading) return reading;
  const source = wholePattern(pattern, isRelative)?.replaceAll('(?P<', '(?<');
  const redirect = source === undefined ? null : redirectOf(`~${source}`, to, status);
  return redirect ? { redirects: [redirect] } : { reason: 'not_supported' };
}
