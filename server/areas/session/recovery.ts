import { randomBytes } from 'node:crypto';
import { encodeBase32UpperCaseNoPadding } from '@oslojs/encoding';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Context } from '../../context';
import * as queries from './factorQueries';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;

const codesAtOnce = 10;
/** 80 random bits, 16 letters of base32 (ASVS 6.5.4 requires 20 bits where attempts are limited; these need no limit). */
const bytesPerCode = 10;

/** `ABCD-EFGH-2345-67IJ` */
const makeCode = (): string => (encodeBase32UpperCaseNoPadding(randomBytes(bytesPerCode)).match(/.{4}/g) ?? []).join('-');

/** Normalizes a typed code: ignores case and dashes, and reads 0, 1 and 8, which base32 does not contain, as O, I and B. */
const normal = (typed: string): string =>
  typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('0', 'O')
    .replaceAll('1', 'I')
    .replaceAll('8', 'B');

const hashOf = (ctx: Pick<Context, 'secrets'>, userId: string, code: string): string => ctx.secrets.mac('recovery', `${userId} ${normal(code)}`);

/** Creates ten new codes and invalidates earlier ones. Call it in the transaction of the change that it belongs to. */
export async function makeRecoveryCodes(ctx: Pick<Context, 'secrets' | 'now'>, tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codesAtOnce }, makeCode);
  await queries.deleteRecoveryCodes(tx, userId);
  await queries.insertRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashOf(ctx, userId, code)),
    new Date(ctx.now()),
  );
  return codes;
}

/** Whether `typed` is an unused code of this person; marks it as used. */
export const useRecoveryCode = (ctx: Pick<Context, 'secrets' | 'now'>, db: Db, userId: string, typed: string): Promise<boolean> =>
  queries.useRecoveryCode(db, userId, hashOf(ctx, userId, typed), new Date(ctx.now()));
