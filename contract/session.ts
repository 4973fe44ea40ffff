import { z } from 'zod';
import { endpoint } from './endpoint';
import { instanceActions, instanceRoles } from './permissions';
import type { InstanceAction } from './permissions';
import { safeName } from './text';

export const uiLocales = ['zh-CN', 'en'] as const;
export const colorSchemes = ['system', 'light', 'dark'] as const;
export const primaries = ['grey', 'blue'] as const;

/** The signed-in person, as the console shows them everywhere. */
export const User = z.object({
  id: z.uuid(),
  loginName: z.string(),
  displayName: z.string(),
  email: z.string().nullable(),
  role: z.enum(instanceRoles),
  locale: z.enum(uiLocales),
  timeZone: z.string(),
  colorScheme: z.enum(colorSchemes),
  primary: z.enum(primaries),
  createdAt: z.iso.datetime(),
  revision: z.int(),
});
export type User = z.infer<typeof User>;

/** The current session, or null. `id` is public: it names the row, it does not open it. */
export const Session = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  role: z.enum(instanceRoles),
  can: z.array(z.enum(instanceActions as [InstanceAction, ...InstanceAction[]])),
  createdAt: z.iso.datetime(),
  /** When it ends if nothing more is done. */
  idleUntil: z.iso.datetime(),
  /** When it ends in any case. */
  absoluteUntil: z.iso.datetime(),
  serverTime: z.iso.datetime(),
  /** True where the cookie travels over plain http to something else than this machine: shown as a banner. */
  insecureTransport: z.boolean(),
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

/** Login names. Compared after NFKC and lower-casing. */
export const loginNamePattern = /^[a-z0-9\p{Script=Han}][a-z0-9_.\-\p{Script=Han}]{2,31}$/u;
export const LoginName = z
  .string()
  .transform((s) => s.normalize('NFKC').trim().toLowerCase())
  .pipe(z.string().min(3).max(32).regex(loginNamePattern));

/** ≥15 characters while no second factor protects the account (ASVS 6.2.1); no composition rules. */
export const NewPassword = z.string().min(15).max(128);

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
export const SetUpState = z.object({ needed: z.boolean(), tokenValid: z.boolean() });
const IdParams = z.object({ id: z.uuid() });

export const sessionEndpoints = {
  session: endpoint({
    id: 'session',
    method: 'GET',
    path: '/api/acc/token/session',
    access: 'public',
    summary: 'The current session, or null when not signed in',
    answer: Session.nullable(),
  }),
  signOut: endpoint({ id: 'signOut', method: 'POST', path: '/api/acc/token/sign-out', access: 'public', summary: 'End the current session' }),
  signOutEverywhere: endpoint({
    id: 'signOutEverywhere',
    method: 'POST',
    path: '/api/acc/token/sign-out-everywhere',
    access: 'session',
    summary: 'End every session of this person; keepCurrent leaves the caller signed in',
    body: z.object({ keepCurrent: z.boolean().default(false) }),
    answer: z.object({ ended: z.int() }),
  }),
  sessions: endpoint({
    id: 'sessions',
    method: 'GET',
    path: '/api/acc/token/sessions',
    access: 'session',
    summary: 'Open sessions of the current person',
    answer: z.array(SessionRow),
  }),
  endSession: endpoint({
    id: 'endSession',
    method: 'DELETE',
    path: '/api/acc/token/sessions/:id',
    access: 'session',
    summary: 'End one of the current person’s sessions',
    params: IdParams,
    errors: ['not_found'],
  }),
  signIn: endpoint({
    id: 'signIn',
    method: 'POST',
    path: '/api/acc/sign/in',
    access: 'public',
    summary: 'Sign in by login name or e-mail and password',
    body: SignIn,
    answer: Redirected,
    errors: ['bad_credentials', 'too_many_requests'],
    ratePerMinute: 60,
  }),
  setUpState: endpoint({
    id: 'setUpState',
    method: 'POST',
    path: '/api/acc/sign/setup-state',
    access: 'public',
    summary: 'Whether the first owner is still to be made, and whether a set-up token is the right one',
    body: z.object({ token: z.string().max(200).optional() }),
    answer: SetUpState,
    ratePerMinute: 60,
  }),
  setUp: endpoint({
    id: 'setUp',
    method: 'POST',
    path: '/api/acc/sign/setup',
    access: 'public',
    summary: 'Make the first owner with the printed one-time token',
    body: SetUp,
    answer: Redirected,
    errors: ['bad_setup_token', 'already_set_up', 'invalid_fields'],
    ratePerMinute: 20,
  }),
  reauth: endpoint({
    id: 'reauth',
    method: 'POST',
    path: '/api/acc/sign/reauth',
    access: 'session',
    summary: 'Prove the password again before a sensitive act',
    body: z.object({ password: z.string().min(1).max(128) }),
    errors: ['invalid_fields', 'too_many_requests'],
    ratePerMinute: 30,
  }),
} as const;
