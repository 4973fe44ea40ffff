import { hash, verify } from '@node-rs/argon2';

/** OWASP Password Storage cheat sheet: argon2id (the library's default), 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Passwords are hashed exactly as typed: no trimming, no normalization. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** A hash with the current parameters that no password matches. */
const nobodys = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether `password` matches `stored`. Without a stored hash (unknown name) a hash that nothing matches is verified, so that both cases take the same time. */
export const verifyPassword = async (stored: string | null, password: string): Promise<boolean> =>
  (await verify(stored ?? nobodys, password)) && stored !== null;

/** True if `stored` was created with other parameters than the current ones: hash again at the next sign-in. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`);
