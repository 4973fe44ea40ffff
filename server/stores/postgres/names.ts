import type { Pool } from 'pg';

/** Connections of the pools are replaced after this many seconds, together with their prepared statements. */
export const connectionLife = 1800;
/** Maximum number of names assigned within that time. */
const mostNames = 60;
const mostSeen = 500;

/** `from`: start of the period in which `count` names were assigned; `last`: number of the latest name. */
type Names = { readonly used: Set<string>; readonly byKey: Map<string, string>; from: number; count: number; last: number };
const namesOfPool = new WeakMap<Pool, Names>();

/**
 * A name for a repeated statement, so that PostgreSQL parses it only once per connection; undefined for a statement seen for the first time, and above the
 * limit per connection. `revision`: of the definitions that the statement was built from. Names depend on both, so that after a change of columns the old name
 * is no longer used.
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

/** Prepared statements no longer match their tables: all of them get new names. */
export function forgetNames(pool: Pool): void {
  namesOfPool.get(pool)?.byKey.clear();
  namesOfPool.get(pool)?.used.clear();
}
