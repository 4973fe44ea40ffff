import { readCells } from '../core/write/cellTexts';
import { Hashed, triedHash, withHashes } from '../core/write/passwords';
import type { KeptRow } from './files';
import type { Work } from './pieces';
import { resolvePlan } from './plan';

/** Names the password of a field in a row of a piece. */
export const passwordAt = (row: number, field: string): string => `${row} ${field}`;

/**
 * The passwords that stand in the rows of a piece, hashed: asked before its transaction begins, for a thousand take some twenty seconds, in which nobody else
 * should wait for a record. Those of a trial are not hashed at all.
 */
export async function hashesOf(work: Omit<Work, 'hashes'>, rows: readonly KeptRow[], isTrial: boolean): Promise<ReadonlyMap<string, Hashed>> {
  const { context, plan, made, isJson } = work;
  const { table } = context;
  const hashes = new Map<string, Hashed>();
  if (!table) return hashes;
  const { targets } = resolvePlan({ model: context.model, table, reader: context.reader }, plan, made);
  const columns = targets.flatMap(({ field, column, locale, isNew }) =>
    field.type === 'password' && locale === null && !isNew ? [{ field, at: column }] : [],
  );
  if (columns.length === 0) return hashes;
  const given = rows.map(({ cells, fault }) => ({ id: null, cells: fault === '' ? cells : [] }));
  const texts = readCells(context.timeZone, columns, new Map(), given, new Map(), isJson).map(({ values }) => values);
  const hash = isTrial ? triedHash : undefined;
  // Which of both a row will be is known later; rights on fields may differ, and what has been hashed is not hashed again.
  const all = await withHashes({ ...context, table }, 'create', await withHashes({ ...context, table }, 'update', texts, hash), hash);
  all.forEach((values, row) => {
    for (const [field, value] of Object.entries(values)) if (value instanceof Hashed) hashes.set(passwordAt(row, field), value);
  });
  return hashes;
}
