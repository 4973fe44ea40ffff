import { hash, verify } from '@node-rs/argon2';
import type { FieldCode } from '../../../contract/errors';

/** OWASP Password Storage cheat sheet: argon2id (the library's default), 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Passwords are hashed exactly as typed: no trimming, no normalising. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

let dummy: Promise<string> | undefined;

/**
 * Whether `password` belongs to `stored`. Without a stored hash (nobody of that name) a dummy is checked, so that both
 * take the same time.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored !== null) return verify(stored, password);
  dummy ??= hashPassword('nobody has this password');
  await verify(await dummy, password);
  return false;
}

/** True when `stored` was made with other parameters than today's: hash again at the next sign-in. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`);

/** Sequences that long bad passwords are made of; a password of nothing but these is refused. */
const wellKnown =
  /(?:password|passw0rd|qwertyuiop|asdfghjkl|zxcvbnm|letmein|welcome|iloveyou|administrator|admin|abcdefghijklmnopqrstuvwxyz|abc|sitewright|(?:0123456789)+|1234567890|12345|54321|woaini|[!@#$._\-\s])/g;

/** Why a new password (already long enough) is refused, or null. Length is what counts; these are the long ones that are guessed first. */
export function passwordFault(password: string, context: { readonly loginName: string }): FieldCode | null {
  const lower = password.toLowerCase();
  if (lower.includes(context.loginName.toLowerCase())) return 'contains_login';
  if (new Set(lower).size < 6) return 'weak_password';
  if (/^(.{1,7})\1+$/.test(lower)) return 'weak_password';
  return lower.replaceAll(wellKnown, '').replaceAll(/\d/g, '').length < 4 ? 'weak_password' : null;
}
