import { z } from 'zod';
import { sessionCalls } from './calls';
import { signCalls } from './signCalls';
import { endpoint } from '../endpoint';
import { instanceActions, instanceRoles, siteRoles } from '../permissions';
import type { InstanceAction } from '../permissions';
import { rowId, safeName } from '../text';

export const uiLocales = ['zh-CN', 'en'] as const;
export const colorSchemes = ['system', 'light', 'dark'] as const;
export const primaries = ['grey', 'blue'] as const;

/** The signed-in person, as the console shows them. */
export const User = z.object({
  id: z.uuid(),
  loginName: z.string(),
  displayName: z.string(),
  email: z.string().nullable(),
  /** URL of the picture, including a version; null: none. */
  avatar: z.string().nullable(),
  role: z.enum(instanceRoles),
  locale: z.enum(uiLocales),
  timeZone: z.string(),
  colorScheme: z.enum(colorSchemes),
  primary: z.enum(primaries),
  /** Optional mails that the person wants; null in the profile of another person. */
  notices: z.object({ newDevice: z.boolean(), access: z.boolean(), mention: z.boolean() }).nullable(),
  createdAt: z.iso.datetime(),
  revision: z.int(),
});
export type User = z.infer<typeof User>;

/** Another person, as seen by people who share a site with them: without login name and console preferences. */
export const Colleague = User.pick({ id: true, displayName: true, avatar: true, role: true, createdAt: true });
export type Colleague = z.infer<typeof Colleague>;

/** The current session, or null. `id` is public: it identifies the session but does not grant access. */
export const Session = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  role: z.enum(instanceRoles),
  can: z.array(z.enum(instanceActions as [InstanceAction, ...InstanceAction[]])),
  createdAt: z.iso.datetime(),
  /** Expiry without further activity. */
  idleUntil: z.iso.datetime(),
  /** Absolute expiry. */
  absoluteUntil: z.iso.datetime(),
  serverTime: z.iso.datetime(),
  /** True when the cookie is sent over plain http to a machine other than this one; shown as a banner. */
  insecureTransport: z.boolean(),
  /** `due`: the policy requires a second factor by `enrolBy`; `required`: that time has passed, and the only allowed action is to set one up. */
  enrolment: z.enum(['none', 'due', 'required']),
  enrolBy: z.iso.datetime().nullable(),
});
export type Session = z.infer<typeof Session>;

export const SessionRow = z.object({
  id: z.uuid(),
  current: z.boolean(),
  device: z.string(),
  address: z.string(),
  place: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
});
export type SessionRow = z.infer<typeof SessionRow>;

export const SignIn = z.object({
  login: z.string().min(1).max(254),
  password: z.string().min(1).max(128),
  remember: z.boolean().default(false),
  redirect: z.string().max(4096).optional(),
});
export type SignIn = z.input<typeof SignIn>;

/** Login names, compared after NFKC and lower-casing. */
export const loginNamePattern = /^[a-z0-9\p{Script=Han}][a-z0-9_.\-\p{Script=Han}]{2,31}$/u;
export const LoginName = z
  .string()
  .transform((s) => s.normalize('NFKC').trim().toLowerCase())
  .pipe(z.string().min(3).max(32).regex(loginNamePattern));

/** At least 15 characters while no second factor protects the account (ASVS 6.2.1); no composition rules. */
export const NewPassword = z.string().min(15).max(128);
/**
 * With a second factor, 8 characters suffice; only the server knows who has one, so it checks the length of a chosen password (`too_short` with the right
 * `min`).
 */
export const shortestPassword = { alone: 15, withSecondFactor: 8 } as const;
export const ChosenPassword = z.string().min(1).max(128);

export const SetUp = z.object({
  token: z.string().min(1).max(200),
  loginName: LoginName,
  displayName: safeName(40),
  password: NewPassword,
  locale: z.enum(uiLocales).default('zh-CN'),
  timeZone: z.string().max(64).default('Asia/Shanghai'),
});
export type SetUp = z.input<typeof SetUp>;

export const Redirected = z.object({ redirect: z.string() });
export const SetUpState = z.object({ needed: z.boolean(), tokenValid: z.boolean(), /** Whether this installation can send mail. */ mail: z.boolean() });

export const secondSteps = ['totp', 'passkey', 'recovery'] as const;
/** Result of the password step: signed in, or a ticket for the second step that is valid for ten minutes. */
export const SignedIn = z.union([Redirected, z.object({ next: z.literal('second'), ticket: z.string(), methods: z.array(z.enum(secondSteps)) })]);
export type SignedIn = z.infer<typeof SignedIn>;

/** JSON as read and written by WebAuthn's `parseRequestOptionsFromJSON` and related functions (W3C WebAuthn 3 §5.1). */
export const WebAuthnJson = z.record(z.string(), z.unknown());
export const PasskeyOptions = z.object({ challengeId: z.uuid(), options: WebAuthnJson });
const linkToken = z.string().min(1).max(200);
const ticket = z.string().min(1).max(200);

export const AcceptInvite = z.object({
  token: linkToken,
  loginName: LoginName,
  displayName: safeName(40),
  password: NewPassword,
  locale: z.enum(uiLocales).default('zh-CN'),
  timeZone: z.string().max(64).default('Asia/Shanghai'),
});
export type AcceptInvite = z.input<typeof AcceptInvite>;

/** Contents of an invitation, as its recipient sees them. */
export const InviteState = z.object({
  email: z.string().nullable(),
  role: z.enum(instanceRoles),
  invitedBy: z.string(),
  sites: z.array(z.object({ name: z.string(), role: z.enum(siteRoles) })),
  message: z.string(),
  expiresAt: z.iso.datetime(),
});
export type InviteState = z.infer<typeof InviteState>;
const IdParams = z.object({ id: rowId });

export const sessionEndpoints = {
  session: endpoint(sessionCalls.session, {
    access: 'public',
    summary: 'The current session, or null when not signed in',
    response: Session.nullable(),
  }),
  signOut: endpoint(sessionCalls.signOut, { access: 'public', summary: 'End the current session' }),
  signOutEverywhere: endpoint(sessionCalls.signOutEverywhere, {
    access: 'session',
    beforeEnrolment: true,
    summary: 'End every session of this person; keepCurrent leaves the caller signed in',
    body: z.object({ keepCurrent: z.boolean().default(false) }),
    response: z.object({ ended: z.int() }),
  }),
  sessions: endpoint(sessionCalls.sessions, {
    access: 'session',
    beforeEnrolment: true,
    summary: 'Open sessions of the current person',
    response: z.array(SessionRow),
  }),
  endSession: endpoint(sessionCalls.endSession, {
    access: 'session',
    beforeEnrolment: true,
    summary: 'End one of the current person’s sessions',
    params: IdParams,
    errors: ['not_found'],
  }),
  signIn: endpoint(signCalls.signIn, {
    access: 'public',
    summary: 'Sign in by login name or e-mail and password',
    body: SignIn,
    response: SignedIn,
    errors: ['bad_credentials', 'too_many_requests'],
    ratePerMinute: 60,
  }),
  signInSecond: endpoint(signCalls.signInSecond, {
    access: 'public',
    summary: 'The second step of signing in: a code of the authenticator, or a recovery code',
    body: z.object({ ticket, kind: z.enum(['totp', 'recovery']), code: z.string().min(1).max(64) }),
    response: Redirected,
    errors: ['bad_code', 'ticket_ended', 'too_many_requests'],
    ratePerMinute: 60,
  }),
  passkeySignInOptions: endpoint(signCalls.passkeySignInOptions, {
    access: 'public',
    summary: 'Begin signing in with a passkey: as the second step (with a ticket), or instead of name and password',
    body: z.object({ ticket: ticket.optional() }),
    response: PasskeyOptions,
    errors: ['ticket_ended', 'too_many_requests'],
    ratePerMinute: 60,
  }),
  passkeySignIn: endpoint(signCalls.passkeySignIn, {
    access: 'public',
    summary: 'Sign in with what the passkey answered',
    body: z.object({
      challengeId: z.uuid(),
      response: WebAuthnJson,
      ticket: ticket.optional(),
      remember: z.boolean().default(false),
      redirect: z.string().max(4096).optional(),
    }),
    response: Redirected,
    errors: ['bad_code', 'ticket_ended', 'too_many_requests'],
    ratePerMinute: 60,
  }),
  forgot: endpoint(signCalls.forgot, {
    access: 'public',
    summary: 'Ask for a mail with a link that sets a new password; the answer never tells whether there is such an account',
    body: z.object({ login: z.string().min(1).max(254) }),
    errors: ['too_many_requests'],
    ratePerMinute: 20,
  }),
  resetState: endpoint(signCalls.resetState, {
    access: 'public',
    summary: 'Whose password a link sets, while it is good',
    body: z.object({ token: linkToken }),
    response: z.object({ loginName: z.string(), minLength: z.int() }),
    errors: ['link_ended'],
    ratePerMinute: 60,
  }),
  reset: endpoint(signCalls.reset, {
    access: 'public',
    summary: 'Set a new password by link. Ends every session; signs nobody in; the second factor stays',
    body: z.object({ token: linkToken, password: ChosenPassword }),
    errors: ['link_ended', 'invalid_fields'],
    ratePerMinute: 20,
  }),
  inviteState: endpoint(signCalls.inviteState, {
    access: 'public',
    summary: 'What an invitation offers, while it is good',
    body: z.object({ token: linkToken }),
    response: InviteState,
    errors: ['link_ended'],
    ratePerMinute: 60,
  }),
  acceptInvite: endpoint(signCalls.acceptInvite, {
    access: 'public',
    summary: 'Make the account that an invitation offers, and sign in',
    body: AcceptInvite,
    response: Redirected,
    errors: ['link_ended', 'invalid_fields', 'name_taken'],
    ratePerMinute: 20,
  }),
  verifyEmail: endpoint(signCalls.verifyEmail, {
    access: 'public',
    summary: 'Confirm a person’s e-mail address by link',
    body: z.object({ token: linkToken }),
    response: z.object({ email: z.string() }),
    errors: ['link_ended', 'email_taken'],
    ratePerMinute: 20,
  }),
  reauthPasskeyOptions: endpoint(signCalls.reauthPasskeyOptions, {
    access: 'session',
    beforeEnrolment: true,
    summary: 'Begin proving who one is with a passkey; not_found for those who have none',
    response: PasskeyOptions,
    errors: ['not_found', 'too_many_requests'],
    ratePerMinute: 30,
  }),
  reauthPasskey: endpoint(signCalls.reauthPasskey, {
    access: 'session',
    beforeEnrolment: true,
    summary: 'Prove with a passkey who one is, before a sensitive act',
    body: z.object({ challengeId: z.uuid(), response: WebAuthnJson }),
    errors: ['bad_code', 'too_many_requests'],
    ratePerMinute: 30,
  }),
  setUpState: endpoint(signCalls.setUpState, {
    access: 'public',
    summary: 'Whether the first owner is still to be made, and whether a set-up token is the right one',
    body: z.object({ token: z.string().max(200).optional() }),
    response: SetUpState,
    ratePerMinute: 60,
  }),
  setUp: endpoint(signCalls.setUp, {
    access: 'public',
    summary: 'Make the first owner with the printed one-time token',
    body: SetUp,
    response: Redirected,
    errors: ['bad_setup_token', 'already_set_up', 'invalid_fields'],
    ratePerMinute: 20,
  }),
  reauth: endpoint(signCalls.reauth, {
    access: 'session',
    beforeEnrolment: true,
    summary: 'Prove the password again before a sensitive act',
    body: z.object({ password: z.string().min(1).max(128) }),
    errors: ['invalid_fields', 'too_many_requests'],
    ratePerMinute: 30,
  }),
} as const;
