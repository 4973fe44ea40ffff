import { z } from 'zod';
import { factorCalls } from './factorCalls';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { PasskeyOptions, WebAuthnJson } from '../session/schemas';
import { rowId, safeName } from '../text';

export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  /** The passkey is stored by a service that syncs it to other devices (WebAuthn's backup state). */
  synced: z.boolean(),
});
export type Passkey = z.infer<typeof Passkey>;

/** Security settings of the caller's account. */
export const Security = z.object({
  passwordChangedAt: z.iso.datetime(),
  /** Minimum password length for this account now. */
  minLength: z.int(),
  totpSince: z.iso.datetime().nullable(),
  passkeys: z.array(Passkey),
  /** Unused recovery codes; null where there is no second factor to recover. */
  recoveryLeft: z.int().nullable(),
  /** Earliest time of the next change of the login name; null: now. */
  renameFrom: z.iso.datetime().nullable(),
  /** False when the installation lets only owners change login names. */
  selfRename: z.boolean(),
  /** Whether this installation can send mail. */
  mail: z.boolean(),
  /** New email address that is not confirmed yet. */
  pendingEmail: z.string().nullable(),
});
export type Security = z.infer<typeof Security>;

/** Ten recovery codes, shown once. */
export const RecoveryCodes = z.array(z.string());

export const secondFactorPolicies = ['off', 'managers', 'all'] as const;
/** Sign-in policy of the installation. */
export const Policy = z.object({
  /** `managers`: required of all roles except members. */
  secondFactor: z.enum(secondFactorPolicies),
  /** Days that a person has to set up a second factor, from the latest tightening of the policy or from the creation of the account, whichever is later. */
  graceDays: z.int(),
  selfRename: z.boolean(),
  revision: z.int(),
});
export type Policy = z.infer<typeof Policy>;
export const PolicyInput = z.strictObject({
  secondFactor: z.enum(secondFactorPolicies),
  graceDays: z.int().min(0).max(90),
  selfRename: z.boolean(),
});
export type PolicyInput = z.input<typeof PolicyInput>;

export const signInResults = ['done', 'bad_credentials', 'bad_code', 'locked'] as const;
export const signInFactors = ['password', 'totp', 'passkey', 'recovery', 'set_up', 'invite'] as const;
/** One sign-in attempt for an existing account. */
export const SignInRecord = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  result: z.enum(signInResults),
  factor: z.enum(signInFactors),
  address: z.string(),
  place: z.string(),
  device: z.string(),
});
export type SignInRecord = z.infer<typeof SignInRecord>;

const IdParams = z.object({ id: rowId });

export const factorEndpoints = {
  security: endpoint(factorCalls.security, {
    access: 'session',
    beforeEnrolment: true,
    summary: 'How the own account is protected',
    response: Security,
  }),
  beginTotp: endpoint(factorCalls.beginTotp, {
    access: 'session',
    beforeEnrolment: true,
    proven: true,
    summary: 'A new secret for an authenticator app; works only once it is confirmed by a code',
    /** `qr`: an SVG image as a data: URL. */
    response: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
    errors: ['conflict'],
  }),
  confirmTotp: endpoint(factorCalls.confirmTotp, {
    access: 'session',
    beforeEnrolment: true,
    proven: true,
    summary: 'Turn the authenticator on by a first code. Recovery codes come with the first factor',
    body: z.object({ code: z.string().min(1).max(20) }),
    response: z.object({ recoveryCodes: RecoveryCodes.nullable() }),
    errors: ['invalid_fields', 'conflict', 'too_many_requests'],
    ratePerMinute: 30,
  }),
  removeTotp: endpoint(factorCalls.removeTotp, {
    access: 'session',
    proven: true,
    summary: 'Turn the authenticator off. The last factor stays (conflict) while the policy asks for one, or while the password is too short without',
    errors: ['not_found', 'conflict'],
  }),
  passkeyOptions: endpoint(factorCalls.passkeyOptions, {
    access: 'session',
    beforeEnrolment: true,
    proven: true,
    summary: 'Begin adding a passkey',
    response: PasskeyOptions,
    errors: ['conflict'],
  }),
  addPasskey: endpoint(factorCalls.addPasskey, {
    access: 'session',
    beforeEnrolment: true,
    proven: true,
    summary: 'Add the passkey that the browser has made. Recovery codes come with the first factor',
    body: z.object({ challengeId: z.uuid(), response: WebAuthnJson, name: safeName(40) }),
    response: z.object({ passkey: Passkey, recoveryCodes: RecoveryCodes.nullable() }),
    errors: ['bad_code', 'conflict', 'invalid_fields'],
  }),
  renamePasskey: endpoint(factorCalls.renamePasskey, {
    access: 'session',
    summary: 'Give a passkey another name',
    params: IdParams,
    body: z.strictObject({ name: safeName(40) }),
    response: Passkey,
    errors: ['not_found', 'invalid_fields'],
  }),
  removePasskey: endpoint(factorCalls.removePasskey, {
    access: 'session',
    proven: true,
    summary: 'Remove a passkey. The last factor stays (conflict) while the policy asks for one, or while the password is too short without',
    params: IdParams,
    errors: ['not_found', 'conflict'],
  }),
  newRecoveryCodes: endpoint(factorCalls.newRecoveryCodes, {
    access: 'session',
    proven: true,
    summary: 'Ten new recovery codes; the old ones end',
    response: RecoveryCodes,
    errors: ['conflict'],
  }),
  signIns: endpoint(factorCalls.signIns, {
    access: 'session',
    summary: 'Attempts to sign in to the own account, of the last 90 days, latest first',
    query: z.object(pageQuery),
    response: Page(SignInRecord),
  }),
  policy: endpoint(factorCalls.policy, {
    access: { instance: 'people.read' },
    token: 'account:read',
    summary: 'What the installation asks of its people',
    response: Policy,
  }),
  changePolicy: endpoint(factorCalls.changePolicy, {
    ifMatch: 'required',
    access: { instance: 'policy.write' },
    proven: true,
    summary: 'Change what the installation asks of its people (If-Match: revision)',
    body: PolicyInput,
    response: Policy,
    errors: ['stale_revision', 'invalid_fields'],
  }),
} as const;
