import { z } from 'zod';
import { accountCalls } from './calls';
import { endpoint } from '../endpoint';
import { ChosenPassword, Colleague, LoginName, User, colorSchemes, primaries, uiLocales } from '../session/schemas';
import { rowId, safeName } from '../text';

export const UserChange = z.strictObject({
  displayName: safeName(40).optional(),
  locale: z.enum(uiLocales).optional(),
  timeZone: z.string().max(64).optional(),
  colorScheme: z.enum(colorSchemes).optional(),
  primary: z.enum(primaries).optional(),
  /** Optional mails; mandatory mails cannot be turned off. `mention` absent: as before. */
  notices: z.strictObject({ newDevice: z.boolean(), access: z.boolean(), mention: z.boolean().optional() }).optional(),
});
export type UserChange = z.input<typeof UserChange>;

const IdParams = z.object({ id: rowId });

export const accountEndpoints = {
  user: endpoint(accountCalls.user, {
    access: 'session',
    beforeEnrolment: true,
    summary: 'One person: the caller, or somebody whom the caller has a reason to see (with fewer details unless the caller manages people)',
    params: IdParams,
    response: z.union([User, Colleague]),
    errors: ['not_found'],
  }),
  changeUser: endpoint(accountCalls.changeUser, {
    ifMatch: 'required',
    access: 'session',
    beforeEnrolment: true,
    summary: 'Change the own profile (If-Match: revision)',
    params: IdParams,
    body: UserChange,
    response: User,
    errors: ['not_found', 'stale_revision', 'invalid_fields'],
  }),
  rename: endpoint(accountCalls.rename, {
    access: 'session',
    proven: true,
    summary: 'Change the own login name; needs the password proven within ten minutes',
    body: z.strictObject({ loginName: LoginName }),
    response: User,
    errors: ['name_taken', 'invalid_fields', 'too_many_requests', 'forbidden'],
    ratePerMinute: 20,
  }),
  changePassword: endpoint(accountCalls.changePassword, {
    access: 'session',
    beforeEnrolment: true,
    summary: 'Change the own password; every other session ends',
    body: z.strictObject({ current: z.string().min(1).max(128), next: ChosenPassword }),
    errors: ['invalid_fields', 'too_many_requests'],
    ratePerMinute: 20,
  }),
  email: endpoint(accountCalls.email, {
    access: 'session',
    proven: true,
    summary: 'Request another e-mail address: it takes effect once confirmed by the link sent to it; the old address is notified',
    body: z.strictObject({ email: z.string().trim().toLowerCase().max(254).pipe(z.email()) }),
    response: z.object({ mailed: z.boolean() }),
    errors: ['invalid_fields', 'email_taken', 'too_many_requests'],
    ratePerMinute: 20,
  }),
  removeEmail: endpoint(accountCalls.removeEmail, {
    access: 'session',
    proven: true,
    summary: 'Give the e-mail address up; `pending` only the one that waits to be confirmed',
    query: z.object({ pending: z.enum(['true']).optional() }),
    errors: ['not_found'],
  }),
  avatar: endpoint(accountCalls.avatar, {
    access: 'session',
    summary: 'The picture of somebody whom the caller may see (PNG, 256 × 256)',
    params: IdParams,
    kind: 'file',
    errors: ['not_found'],
  }),
  changeAvatar: endpoint(accountCalls.changeAvatar, {
    access: 'session',
    summary: 'Set the own picture: a square PNG of at most 2 MB and 1024 px, stored anew at 256 px without whatever else was in the file',
    body: z.strictObject({ /** base64 */ png: z.base64().max(2_800_000) }),
    response: User,
    errors: ['invalid_fields', 'too_large'],
    bodyLimit: 2_900_000,
    ratePerMinute: 20,
  }),
  removeAvatar: endpoint(accountCalls.removeAvatar, { access: 'session', summary: 'Remove the own picture', response: User }),
  exportAccount: endpoint(accountCalls.exportAccount, {
    access: 'session',
    summary: 'Everything kept about oneself, as a JSON file',
    kind: 'file',
  }),
  closeAccount: endpoint(accountCalls.closeAccount, {
    access: 'session',
    proven: true,
    summary: 'Delete the own account; the last owner cannot',
    body: z.strictObject({ /** The caller's login name, typed as confirmation. */ confirm: z.string().max(64) }),
    errors: ['last_owner', 'confirm_mismatch'],
  }),
} as const;
