import { hashPassword } from '../../../session';
import { grantOf } from '../access';
import { valueOf } from '../values/check';
import { ValueFault } from '../values/faults';
import type { TableContext } from '../tableContext';

/** A password that has been hashed before it is written; checked as the text that it was. */
export class Hashed {
  readonly text: string;
  readonly hash: string;
  constructor(text: string, hash: string) {
    this.text = text;
    this.hash = hash;
  }
}

/** Hashed at the same time: the machine has other things to do. */
const atOnce = 2;
/** Stands for the hash of a password that is only tried: what is taken back again needs none. */
export const triedHash = (): Promise<string> => Promise.resolve('tried');

/**
 * Records with the passwords among their values hashed, which takes some 35 ms each: done before a transaction begins, so that no lock is held meanwhile.
 * What is no password (too short, of another type), or may not be written, stays as it was given, for the write to refuse.
 */
export async function withHashes<T extends Readonly<Record<string, unknown>>>(
  { table, reader }: TableContext,
  action: 'create' | 'update',
  records: readonly T[],
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<T[]> {
  const grant = grantOf(table, reader, action);
  if (!grant.allowed || !table.fields.some((field) => field.type === 'password')) return [...records];
  const made = records.map((values) => ({ ...values }));
  const todo = made.flatMap((values) =>
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
  return made;
}

function isGood(read: () => unknown): boolean {
  try {
    return typeof read() === 'string';
  } catch (error) {
    if (error instanceof ValueFault) return false;
    throw error;
  }
}
