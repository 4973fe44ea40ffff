import { randomBytes } from 'node:crypto';
import { encodeBase32UpperCaseNoPadding } from '@oslojs/encoding';
import { createTOTPKeyURI, verifyHOTP } from '@oslojs/otp';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import * as queries from './factorQueries';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;

/**
 * RFC 6238 with the parameters that every authenticator app supports: SHA-1, 30 seconds, 6 digits; one step of tolerance in both directions for clock drift
 * (§5.2).
 */
const stepSeconds = 30;
const digits = 6;
const drift = 1;
/** RFC 4226 §4 R6 recommends 160 bits. */
const secretBytes = 20;
/** How long a reloaded page continues with the pending secret, which the app may already have scanned; in milliseconds. */
const pendingFor = 15 * 60_000;
const sealPurpose = 'totp';
const issuer = 'Sitewright';

export type TotpOffer = { readonly secret: string; readonly uri: string; readonly qr: string };

/** Offers a secret that takes effect after one of its codes is confirmed. Throws `conflict` if an app is already active. */
export async function beginTotp(ctx: Context, user: { readonly userId: string; readonly loginName: string }): Promise<TotpOffer> {
  const { db } = ctx.postgres;
  const { userId } = user;
  const now = ctx.now();
  const pending = await queries.findTotp(db, userId);
  if (pending && pending.confirmedAt !== null) fail('conflict');
  let key: Uint8Array = new Uint8Array(randomBytes(secretBytes));
  if (pending && now - pending.createdAt.getTime() < pendingFor) key = openKey(ctx, pending.secret);
  else if (
    !(await queries.writePendingTotp(db, { userId, secret: ctx.secrets.seal(sealPurpose, Buffer.from(key).toString('base64url')), createdAt: new Date(now) }))
  )
    fail('conflict');
  const uri = createTOTPKeyURI(issuer, user.loginName, key, stepSeconds, digits);
  const { default: QRCode } = await import('qrcode');
  const svg = await QRCode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
  return { secret: encodeBase32UpperCaseNoPadding(key), uri, qr: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
}

const openKey = (ctx: Context, sealed: string): Uint8Array => new Uint8Array(Buffer.from(ctx.secrets.open(sealPurpose, sealed), 'base64url'));

/** The steps around now whose code is `typed`, earliest first (normally at most one). */
function stepsOf(ctx: Context, key: Uint8Array, typed: string): number[] {
  const code = typed.normalize('NFKC').replaceAll(/\s/g, '');
  const current = Math.floor(ctx.now() / 1000 / stepSeconds);
  const steps = [];
  for (let step = current - drift; step <= current + drift; step++) if (verifyHOTP(key, BigInt(step), digits, code)) steps.push(step);
  return steps;
}

/** Activates the offered authenticator; false if the code is wrong. Throws `conflict` if none is pending. */
export async function confirmTotp(ctx: Context, tx: Db, userId: string, typed: string): Promise<boolean> {
  const pending = await queries.findTotp(tx, userId);
  if (!pending || pending.confirmedAt !== null) return fail('conflict');
  const step = stepsOf(ctx, openKey(ctx, pending.secret), typed).at(-1);
  if (step === undefined) return false;
  return (await queries.confirmTotp(tx, userId, pending.secret, step, new Date(ctx.now()))) || fail('conflict');
}

/** Whether `typed` is a code of this person's authenticator for a step later than any used before (RFC 6238 §5.2); marks the step as used. */
export async function useTotp(ctx: Context, db: Db, userId: string, typed: string): Promise<boolean> {
  const totp = await queries.findTotp(db, userId);
  if (!totp || totp.confirmedAt === null) return false;
  for (const step of stepsOf(ctx, openKey(ctx, totp.secret), typed)) if (await queries.useTotpStep(db, userId, step)) return true;
  return false;
}
