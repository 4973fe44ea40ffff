import { z } from 'zod';
import type { Context } from '../../context';

/** Headers with secrets, by name. */
export type SecretHeaders = Readonly<Record<string, string>>;

const purpose = 'crawler headers';
const Stored = z.record(z.string(), z.string());

/** The secret headers of a crawler; for the engine only, which sends them to the hosts of the seeds. */
export const openHeaders = (ctx: Pick<Context, 'secrets'>, sealed: Buffer | null): SecretHeaders =>
  sealed === null ? {} : Stored.parse(JSON.parse(ctx.secrets.open(purpose, sealed.toString('utf8'))));

export const secretNames = (ctx: Pick<Context, 'secrets'>, sealed: Buffer | null): string[] => Object.keys(openHeaders(ctx, sealed)).toSorted();

/** Adds, replaces and (null) deletes secrets. Null if none is left. */
export function changeHeaders(ctx: Pick<Context, 'secrets'>, sealed: Buffer | null, changes: Readonly<Record<string, string | null>>): Buffer | null {
  const next = new Map(Object.entries(openHeaders(ctx, sealed)));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next.size === 0 ? null : Buffer.from(ctx.secrets.seal(purpose, JSON.stringify(Object.fromEntries(next))), 'utf8');
}
