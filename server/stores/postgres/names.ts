import type { Pool } from 'pg';

/** Connections of the pools are replaced after this long, s: what is prepared on one goes with it. */
export const connectionLife = 1800;
/** Names given within that time. */
const mostNames = 60;
const mostSeen = 500;

/** `from`: when the time began in which `count` names were given; `last`: number of the last of all. */
type Names = { readonly used: Set<string>; readonly byKey: Map<string, string>; from: number; count: number; last: number };
const namesOfPool = new WeakMap<Pool, Names>();

/**
 * A name for a statement whose text comes again, so that PostgreSQL reads it only once a connection; undefined for one that comes for the first time, and
 * for those beyond what connections should hold. `revision`: of the definitions that the text was made from. A name belongs to both, so that after a change
 * of columns nobody asks by it any more.
 */
export function statementName(pool: Pool, text: string, revision: number): string | undefined {
  const now = performance.now();
  let names = namesOfPool.get(pool);
  if (!names) namesOfPool.set(pool, (names = { used: new Set(), byKey: new Map(), from: now, count: 0, last: 0 }));
  const { used, byKey } = names;
  if (now - names.from > connectionLife * 1000) {
    byKey.clear();
    names.from = now;
    names.count = 0;
  }
  const key = `${revision} ${text}`;
  const known = byKey.get(key);
  if (known !== undefined) return known;
  if (!used.has(key)) {
    if (used.size >= mostSeen) used.clear();
    used.add(key);
    return undefined;
  }
  if (names.count >= mostNames) return undefined;
  names.count += 1;
  names.last += 1;
  const name = `s${names.last}`;
  byKey.set(key, name);
  return name;
}

/** What was read does not fit its tables any more: everything is read anew, under other names. */
export function forgetNames(pool: Pool): void {
  namesOfPool.get(pool)?.byKey.clear();
  namesOfPool.get(pool)?.used.clear();
}
