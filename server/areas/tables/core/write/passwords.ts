import { grantOf } from '../access';
import { valueOf } from '../values/check';
import { ValueError } from '../values/valueErrors';
import type { TableContext } from '../tableContext';
import { hashPassword } from '../../../../kit/passwords';

/** A password hashed before the write; its plain text is still validated. */
export class Hashed {
  readonly text: string;
  readonly hash: string;
  constructor(text: string, hash: string) {
    this.text = text;
    this.hash = hash;
  }
}

/** Concurrent hashes; limited to leave CPU for other requests. */
const atOnce = 2;
/** Placeholder hash for dry runs, which are rolled back. */
export const triedHash = (): Promise<string> => Promise.resolve('tried');

/**
 * Hashes the passwords among the values of records, which takes about 35 ms each, before a transaction begins, so that no locks are held meanwhile.
 * Invalid passwords (too short, of another type) and ones that may not be written are left for the write to refuse.
 */
export async function withHashes<T extends Readonly<Record<string, unknown>>>(
  { table, reader }: TableContext,
  action: 'create' | 'update',
  records: readonly T[],
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<T[]> {
  const grant = grantOf(table, reader, action);
  if (!grant.allowed || !table.fields.some((field) => field.type === 'password')) return [...records];
  const hashed = records.map((values) => ({ ...values }));
  const todo = hashed.flatMap((values) =>
    Object.entries(values).flatMap(([name, raw]) => {
      const field = table.byName.get(name);
      return field?.type === 'password' && grant.covers(field) && typeof raw === 'string' && raw !== '' && isGood(() => valueOf(field, raw))
        ? [{ values, name, raw }]
        : [];
    }),
  );
  const next = async (): Promise<void> => {
    for (let one = todo.pop(); one; one = todo.pop()) Object.assign(one.values, { [one.name]: new Hashed(one.raw, await hash(one.raw)) });
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return hashed;
}

function isGood(read: () => unknown): boolean {
  try {
    return typeof read() === 'string';
  } catch (error) {
    if (error instanceof ValueError) return false;
    throw error;
  }
}
