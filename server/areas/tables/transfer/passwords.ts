import { readCells } from '../core/write/cellTexts';
import { Hashed, triedHash, withHashes } from '../core/write/passwords';
import type { StoredRow } from './files';
import type { Work } from './chunks';
import { resolvePlan } from './plan';

/** Identifies the password of a field in a row of a chunk. */
export const passwordAt = (row: number, field: string): string => `${row} ${field}`;

/**
 * Hashes the passwords of a chunk before its transaction begins: a thousand take some twenty seconds, during which no record should be locked. Dry runs
 * hash nothing.
 */
export async function hashesOf(work: Omit<Work, 'hashes' | 'files'>, rows: readonly StoredRow[], isTrial: boolean): Promise<ReadonlyMap<string, Hashed>> {
  const { context, plan, createdFields, isJson } = work;
  const { table } = context;
  const hashes = new Map<string, Hashed>();
  if (!table) return hashes;
  const { targets } = resolvePlan({ model: context.model, table, reader: context.reader }, plan, createdFields);
  const columns = targets.flatMap(({ field, column, locale, isNew }) =>
    field.type === 'password' && locale === null && !isNew ? [{ field, at: column }] : [],
  );
  if (columns.length === 0) return hashes;
  const inputRows = rows.map(({ cells, error }) => ({ id: null, cells: error === '' ? cells : [] }));
  const texts = readCells(context.timeZone, columns, new Map(), inputRows, new Map(), isJson).map(({ values }) => values);
  const hash = isTrial ? triedHash : undefined;
  // Whether a row creates or updates is known later, and field permissions may differ between the two; existing hashes are reused.
  const all = await withHashes({ ...context, table }, 'create', await withHashes({ ...context, table }, 'update', texts, hash), hash);
  all.forEach((values, row) => {
    for (const [field, value] of Object.entries(values)) if (value instanceof Hashed) hashes.set(passwordAt(row, field), value);
  });
  return hashes;
}
