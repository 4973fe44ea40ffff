import { hash, verify } from '@node-rs/argon2';
import { shortestPassword } from '../../../contract/session/schemas';
import type { FieldFault } from '../../http/failure';

/** OWASP Password Storage cheat sheet: argon2id (the library's default), 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const longest = 128;

/** Passwords are hashed exactly as typed: no trimming, no normalising. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/**
 * The columns of `users` that a new password sets, always together: a hash does not tell how long the password is, and a short one
 * must not outlive the second factor that allowed it.
 */
export const newPassword = async (password: string, now: number): Promise<{ passwordHash: string; passwordLong: boolean; passwordChangedAt: Date }> => ({
  passwordHash: await hashPassword(password),
  passwordLong: lengthOf(password) >= shortestPassword.alone,
  passwordChangedAt: new Date(now),
});

/** A hash at today's cost that belongs to no password. */
const nobodys = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Whether `password` belongs to `stored`. Without a stored hash (nobody of that name) one that nothing fits is checked, so that both
 * take the same time.
 */
export const verifyPassword = async (stored: string | null, password: string): Promise<boolean> =>
  (await verify(stored ?? nobodys, password)) && stored !== null;

/** True when `stored` was made with other parameters than today's: hash again at the next sign-in. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`);

/** Whose password it is to be: words that a guesser tries first (ASVS 6.2.11). */
export type PasswordOwner = {
  readonly loginName: string;
  readonly displayName?: string;
  readonly email?: string | null;
  readonly siteNames?: readonly string[];
};

/** Sequences that bad passwords are made of; what is left without them must still be worth something. */
const wellKnown =
  /(?:password|passw0rd|qwertyuiop|asdfghjkl|zxcvbnm|letmein|welcome|iloveyou|administrator|admin|abcdefghijklmnopqrstuvwxyz|abc|sitewright|(?:0123456789)+|1234567890|12345|54321|woaini|[!@#$._\-\s])/g;
/** Shorter words stand in good passwords by chance. */
const shortestWord = 4;

/**
 * Why a new password is refused, or null. At least 15 characters, or 8 where a second factor protects the account (`too_short` with `min`); at most
 * 128; no composition rules (OWASP ASVS 6.2). Refused are the common ones of the zxcvbn list, repeats, well-known sequences, and those around the
 * words of the owner and the product. Store it by `newPassword`.
 */
export async function passwordFault(password: string, owner: PasswordOwner, { secondFactor }: { readonly secondFactor: boolean }): Promise<FieldFault | null> {
  const min = secondFactor ? shortestPassword.withSecondFactor : shortestPassword.alone;
  if (lengthOf(password) < min) return { code: 'too_short', min };
  if (password.length > longest) return { code: 'too_long', max: longest };
  const lower = password.toLowerCase();
  if (lower.includes(owner.loginName.toLowerCase())) return { code: 'contains_login' };
  const { alone } = shortestPassword;
  // A long one is judged by more characters than one that a second factor stands behind.
  const [fewestKinds, fewestLetters] = lower.length >= alone ? [6, 4] : [5, 3];
  if (new Set(lower).size < fewestKinds || /^(.{1,7})\1+$/.test(lower)) return { code: 'weak_password' };
  if (await isCommon(lower)) return { code: 'common_password' };
  const personal = [owner.email?.split('@')[0] ?? '', owner.displayName ?? '', ...(owner.siteNames ?? [])].map((word) => word.trim().toLowerCase());
  let rest = lower.replaceAll(wellKnown, '');
  for (const word of personal) if (lengthOf(word) >= shortestWord) rest = rest.replaceAll(word.replaceAll(wellKnown, ''), '');
  return rest.replaceAll(/\d/g, '').length < fewestLetters ? { code: 'weak_password' } : null;
}

/** Characters as people count them, not UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

let common: Promise<ReadonlySet<string>> | undefined;

/** 49 000 passwords, most common first; loaded when the first password is chosen, as most processes never need it. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return common;
}

/** On the list, as it is or with up to six digits and signs around it: that is the first thing a guesser adds. */
async function isCommon(lower: string): Promise<boolean> {
  const list = await commonPasswords();
  if (list.has(lower)) return true;
  const core = lower.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return core.length >= shortestWord && lower.length - core.length <= 6 && list.has(core);
}
