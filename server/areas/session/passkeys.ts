import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { z } from 'zod';
import type { PasskeyOptions } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import * as queries from './factorQueries';
import type { ChallengePurpose, PasskeyRecord } from './factorQueries';
import type { UserRecord } from './queries';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;

/** Time the browser's dialog may stay open, in milliseconds (W3C WebAuthn 3 §15.1 recommends five minutes). */
const lifetime = 5 * 60_000;
const mostPasskeys = 20;

/** Loaded on first use: it is the largest package of the sign-in, and most sign-ins use a password. */
const webAuthn = () => import('@simplewebauthn/server');

const product = 'Sitewright';

/** Passkeys belong to the host name of the console; responses must come from its exact origin. */
const partyOf = (ctx: Context): { id: string; origin: string } => {
  const { hostname, origin } = new URL(ctx.config.publicUrl);
  return { id: hostname, origin };
};

/** Bytes in base64url; the longest credential id of WebAuthn has 1 023 bytes. */
const bytes = z.string().max(16_384);
const credentialId = z.string().min(1).max(1400);
/** The part that is read of what browsers send (`RegistrationResponseJSON`, `AuthenticationResponseJSON`). */
const Registration = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: bytes, attestationObject: bytes, transports: z.array(z.string().max(32)).max(10).optional() }),
});
const Assertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: z.string().max(200).nullish() }),
});

const descriptor = ({ credentialId: id, transports }: PasskeyRecord) => ({ id, transports });
/** The user handle: the account's id as bytes, which reveals nothing about the person (WebAuthn §14.6.1). */
const handleOf = (userId: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));

async function issue(
  ctx: Context,
  purpose: ChallengePurpose,
  userId: string | null,
  options: object & { challenge: string },
): Promise<z.input<typeof PasskeyOptions>> {
  const challengeId = await queries.insertChallenge(ctx.postgres.db, {
    challenge: options.challenge,
    purpose,
    userId,
    expiresAt: new Date(ctx.now() + lifetime),
  });
  return { challengeId, options: { ...options } };
}

/** Starts the registration of a passkey. Throws `conflict` at the limit of twenty. */
export async function offerPasskey(
  ctx: Context,
  user: { readonly userId: string; readonly loginName: string; readonly displayName: string },
): Promise<z.input<typeof PasskeyOptions>> {
  const known = await queries.passkeysOf(ctx.postgres.db, user.userId);
  if (known.length >= mostPasskeys) fail('conflict');
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: product,
    rpID: partyOf(ctx).id,
    userID: handleOf(user.userId),
    userName: user.loginName,
    userDisplayName: user.displayName,
    timeout: lifetime,
    attestationType: 'none',
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  });
  return issue(ctx, 'add', user.userId, options);
}

type NewPasskey = Parameters<typeof queries.insertPasskey>[1];

/** Verifies the browser's registration response. Throws `bad_code`. */
export async function checkPasskey(ctx: Context, userId: string, registration: { challengeId: string; response: unknown; name: string }): Promise<NewPasskey> {
  const now = new Date(ctx.now());
  const parsed = Registration.safeParse(registration.response);
  const challenge = await queries.takeChallenge(ctx.postgres.db, { id: registration.challengeId, purpose: 'add', userId }, now);
  if (!parsed.success || challenge === null) return fail('bad_code');
  const { id, origin } = partyOf(ctx);
  const { transports = [] } = parsed.data.response;
  const { verifyRegistrationResponse } = await webAuthn();
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response: { ...parsed.data, response: { ...parsed.data.response, transports }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch((error: unknown) => fail('bad_code', { cause: error }));
  if (!info) return fail('bad_code');
  return {
    userId,
    credentialId: info.credential.id,
    publicKey: Buffer.from(info.credential.publicKey).toString('base64url'),
    counter: info.credential.counter,
    transports,
    synced: info.credentialBackedUp,
    name: registration.name,
    createdAt: now,
  };
}

/** Stores a verified passkey. Throws `conflict` if it is already registered, and at the limit of twenty. */
export async function addPasskey(tx: Db, passkey: NewPasskey): Promise<PasskeyRecord> {
  if ((await queries.passkeysOf(tx, passkey.userId)).length >= mostPasskeys) fail('conflict');
  return (await queries.insertPasskey(tx, passkey)) ?? fail('conflict');
}

/** Starts authentication with a passkey of `userId`, or of any person (null). Null if the person has none. */
export async function askForPasskey(
  ctx: Context,
  purpose: Exclude<ChallengePurpose, 'add'>,
  userId: string | null,
): Promise<z.input<typeof PasskeyOptions> | null> {
  const known = userId === null ? [] : await queries.passkeysOf(ctx.postgres.db, userId);
  if (userId !== null && known.length === 0) return null;
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: partyOf(ctx).id,
    timeout: lifetime,
    userVerification: 'required',
    ...(userId === null ? {} : { allowCredentials: known.map(descriptor) }),
  });
  return issue(ctx, purpose, userId, options);
}

export type Proof = { readonly user: UserRecord | null; readonly right: boolean };

/**
 * Verifies a passkey response and returns its person: the challenge is used once, the origin matches, the device verified the user, the signature matches the
 * stored key, and the counter increases. `userId` null: any person.
 */
export async function usePasskey(
  ctx: Context,
  expected: { purpose: Exclude<ChallengePurpose, 'add'>; userId: string | null },
  assertion: { challengeId: string; response: unknown },
): Promise<Proof> {
  const { db } = ctx.postgres;
  const now = new Date(ctx.now());
  const challenge = await queries.takeChallenge(db, { id: assertion.challengeId, ...expected }, now);
  const parsed = Assertion.safeParse(assertion.response);
  const found = parsed.success ? await queries.findPasskey(db, parsed.data.id) : null;
  if (!parsed.success || !found || challenge === null) return { user: found?.user ?? null, right: false };
  const { passkey, user } = found;
  const wrong: Proof = { user, right: false };
  if (expected.userId !== null && passkey.userId !== expected.userId) return wrong;
  const { userHandle, ...response } = parsed.data.response;
  const handle = Buffer.from(handleOf(user.id)).toString('base64url');
  // WebAuthn §7.2, step 6: if no name was entered before, the response must identify the account.
  if (userHandle ? userHandle !== handle : expected.userId === null) return wrong;
  const { id, origin } = partyOf(ctx);
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: { ...parsed.data, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
      transports: passkey.transports,
    },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    ctx.log.info('A passkey was not accepted', { error });
    return { verified: false, authenticationInfo: null };
  });
  if (!verified || info === null) return wrong;
  const use = { counter: passkey.counter, newCounter: info.newCounter, synced: info.credentialBackedUp, now };
  return { user, right: await queries.usePasskey(db, passkey.id, use) };
}
