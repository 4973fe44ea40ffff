import { shortestPassword } from '../../../contract/session/schemas';
import type { FieldError } from '../../http/failure';
import { hashPassword } from '../../kit/passwords';

const longest = 128;

/**
 * The columns of `users` for a new password, always set together: the length cannot be derived from the hash, and a short password must not remain valid
 * without the second factor that allowed it.
 */
export const newPassword = async (password: string, now: number): Promise<{ passwordHash: string; passwordLong: boolean; passwordChangedAt: Date }> => ({
  passwordHash: await hashPassword(password),
  passwordLong: lengthOf(password) >= shortestPassword.alone,
  passwordChangedAt: new Date(now),
});

/** Facts about the password's owner, which attackers try first (ASVS 6.2.11). */
export type PasswordOwner = {
  readonly loginName: string;
  readonly displayName?: string;
  readonly email?: string | null;
  readonly siteNames?: readonly string[];
};

/** Sequences common in weak passwords; the rest of the password must be strong enough without them. */
const wellKnown =
  /(?:password|passw0rd|qwertyuiop|asdfghjkl|zxcvbnm|letmein|welcome|iloveyou|administrator|admin|abcdefghijklmnopqrstuvwxyz|abc|sitewright|(?:0123456789)+|1234567890|12345|54321|woaini|[!@#$._\-\s])/g;
/** Shorter words occur in good passwords by chance. */
const shortestWord = 4;

/**
 * The reason why a new password is refused, or null. At least 15 characters, or 8 if a second factor protects the account (`too_short` with `min`); at most
 * 128; no composition rules (OWASP ASVS 6.2). Common passwords of the zxcvbn list, repetitions, well-known sequences, and passwords built around words of the
 * owner or the product are refused. Store the password with `newPassword`.
 */
export async function findPasswordError(
  password: string,
  owner: PasswordOwner,
  { secondFactor }: { readonly secondFactor: boolean },
): Promise<FieldError | null> {
  const min = secondFactor ? shortestPassword.withSecondFactor : shortestPassword.alone;
  if (lengthOf(password) < min) return { code: 'too_short', min };
  if (password.length > longest) return { code: 'too_long', max: longest };
  const lower = password.toLowerCase();
  if (lower.includes(owner.loginName.toLowerCase())) return { code: 'contains_login' };
  const { alone } = shortestPassword;
  // A long password must have more distinct characters and letters than a short one with a second factor.
  const [fewestKinds, fewestLetters] = lower.length >= alone ? [6, 4] : [5, 3];
  if (new Set(lower).size < fewestKinds || /^(.{1,7})\1+$/.test(lower)) return { code: 'weak_password' };
  if (await isCommon(lower)) return { code: 'common_password' };
  const personal = [owner.email?.split('@')[0] ?? '', owner.displayName ?? '', ...(owner.siteNames ?? [])].map((word) => word.trim().toLowerCase());
  let rest = lower.replaceAll(wellKnown, '');
  for (const word of personal) if (lengthOf(word) >= shortestWord) rest = rest.replaceAll(word.replaceAll(wellKnown, ''), '');
  return rest.replaceAll(/\d/g, '').length < fewestLetters ? { code: 'weak_password' } : null;
}

/** Unicode characters, not UTF-16 units. */
const lengthOf = (text: string): number => [...text].length;

let common: Promise<ReadonlySet<string>> | undefined;

/** 49 000 passwords, most common first; loaded when the first password is chosen, because most processes never need it. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return common;
}

/** Whether a password is on the list, as it is or with up to six digits and signs around it, which attackers try first. */
async function isCommon(lower: string): Promise<boolean> {
  const list = await commonPasswords();
  if (list.has(lower)) return true;
  const core = lower.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return core.length >= shortestWord && lower.length - core.length <= 6 && list.has(core);
}
