import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as 43 characters. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** The stored form of a token. Plain SHA-256 is sufficient for 256 random bits, which cannot be guessed. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
