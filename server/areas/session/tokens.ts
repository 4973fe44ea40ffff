import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as 43 characters. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a token. Plain SHA-256 is enough: there is nothing to guess in 256 random bits. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
