import { z } from 'zod';
import { peopleCalls } from './calls';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { instanceRoles, siteRoles } from '../permissions';
import { rowId, safeText } from '../text';

export const personStates = ['active', 'disabled'] as const;

/** A person with an account, as managers see them. */
export const Person = z.object({
  id: z.uuid(),
  loginName: z.string(),
  displayName: z.string(),
  avatar: z.string().nullable(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  /** New email address that is not confirmed yet. */
  pendingEmail: z.string().nullable(),
  role: z.enum(instanceRoles),
  state: z.enum(personStates),
  /** Number of sites with an explicit grant; managers and owners see all sites without grants. */
  sites: z.int(),
  secondFactor: z.boolean(),
  tokens: z.int(),
  lastSeenAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  revision: z.int(),
});
export type Person = z.infer<typeof Person>;

export const SiteGrant = z.object({ siteId: z.string(), role: z.enum(siteRoles) });
export type SiteGrant = z.infer<typeof SiteGrant>;

export const inviteStates = ['open', 'accepted', 'expired', 'revoked'] as const;
export const Invite = z.object({
  id: z.uuid(),
  email: z.string().nullable(),
  role: z.enum(instanceRoles),
  grants: z.array(SiteGrant),
  message: z.string(),
  state: z.enum(inviteStates),
  invitedBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Number of links created after the first; at most five. */
  resent: z.int(),
});
export type Invite = z.infer<typeof Invite>;

export const InviteInput = z.strictObject({
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()).nullable().default(null),
  role: z.enum(instanceRoles).default('member'),
  grants: z
    .array(z.strictObject({ siteId: z.string().max(20), role: z.enum(siteRoles) }))
    .max(500)
    .default([]),
  message: safeText(500).default(''),
  /** Days until the link expires. */
  days: z.int().min(1).max(30).default(7),
});
export type InviteInput = z.input<typeof InviteInput>;

/** Response to a new invitation. The link is shown once, to be handed over; `mailed` is true when it was also sent. */
export const CreatedInvite = z.object({ invite: Invite, url: z.string(), mailed: z.boolean() });

/** All grants, for the matrix. It contains only people whose role needs grants (finance and members). */
export const Grants = z.object({
  people: z.array(z.object({ id: z.uuid(), loginName: z.string(), displayName: z.string(), role: z.enum(instanceRoles), state: z.enum(personStates) })),
  sites: z.array(z.object({ id: z.string(), name: z.string() })),
  grants: z.array(SiteGrant.extend({ userId: z.uuid() })),
});
export type Grants = z.infer<typeof Grants>;

const IdParams = z.object({ id: rowId });
const manage = { instance: 'people.manage' } as const;
const personErrors = ['not_found', 'last_owner'] as const;

export const peopleEndpoints = {
  people: endpoint(peopleCalls.people, {
    access: { instance: 'people.read' },
    token: 'account:read',
    summary: 'Everybody who may sign in',
    query: z.object({
      ...pageQuery,
      q: z.string().max(100).optional(),
      role: z.enum(instanceRoles).optional(),
      state: z.enum(personStates).optional(),
      sort: z.enum(['displayName', '-displayName', 'createdAt', '-createdAt', 'lastSeenAt', '-lastSeenAt', 'role', '-role']).default('displayName'),
    }),
    response: Page(Person),
  }),
  person: endpoint(peopleCalls.person, {
    access: { instance: 'people.read' },
    token: 'account:read',
    summary: 'One of them, with their grants',
    params: IdParams,
    response: Person.extend({ grants: z.array(SiteGrant) }),
    errors: ['not_found'],
  }),
  changePerson: endpoint(peopleCalls.changePerson, {
    ifMatch: 'required',
    access: manage,
    proven: true,
    summary: 'Change somebody’s role (If-Match: revision). Their sessions get new tokens',
    params: IdParams,
    body: z.strictObject({ role: z.enum(instanceRoles) }),
    response: Person,
    errors: [...personErrors, 'stale_revision', 'forbidden'],
  }),
  signOutPerson: endpoint(peopleCalls.signOutPerson, {
    access: manage,
    summary: 'End all sessions of somebody and forget their known devices',
    params: IdParams,
    response: z.object({ ended: z.int() }),
    errors: ['not_found', 'forbidden'],
  }),
  disablePerson: endpoint(peopleCalls.disablePerson, {
    access: manage,
    proven: true,
    summary: 'Somebody may no longer sign in; sessions and tokens stop at once',
    params: IdParams,
    response: Person,
    errors: [...personErrors, 'forbidden', 'bad_transition'],
  }),
  enablePerson: endpoint(peopleCalls.enablePerson, {
    access: manage,
    proven: true,
    summary: 'Somebody may sign in again',
    params: IdParams,
    response: Person,
    errors: ['not_found', 'forbidden', 'bad_transition'],
  }),
  resetPersonFactor: endpoint(peopleCalls.resetPersonFactor, {
    access: { instance: 'people.reset' },
    proven: true,
    summary: 'Remove somebody’s authenticator, passkeys and recovery codes; they sign in by password and set them up again',
    params: IdParams,
    response: Person,
    errors: ['not_found', 'forbidden'],
  }),
  personLink: endpoint(peopleCalls.personLink, {
    access: { instance: 'people.reset' },
    proven: true,
    summary: 'A one-time link to hand over: to set a password, or to confirm the waiting e-mail address',
    params: IdParams,
    body: z.strictObject({ kind: z.enum(['reset', 'email']) }),
    response: z.object({ url: z.string(), expiresAt: z.iso.datetime() }),
    errors: ['not_found', 'conflict'],
  }),
  removePerson: endpoint(peopleCalls.removePerson, {
    access: manage,
    proven: true,
    summary: 'Delete somebody; what they made stays under “deleted user n”',
    params: IdParams,
    body: z.strictObject({ /** The person's login name, typed as confirmation. */ confirm: z.string().max(64) }),
    errors: [...personErrors, 'forbidden', 'confirm_mismatch'],
  }),
  grants: endpoint(peopleCalls.grants, {
    access: { instance: 'people.read' },
    token: 'account:read',
    summary: 'Who has which role on which site',
    response: Grants,
  }),
  changeGrants: endpoint(peopleCalls.changeGrants, {
    access: manage,
    proven: true,
    summary: 'Give, change and take away (`role: null`) grants, all or none',
    body: z.strictObject({
      changes: z
        .array(z.strictObject({ userId: rowId, siteId: z.string().max(20), role: z.enum(siteRoles).nullable() }))
        .min(1)
        .max(500),
    }),
    response: Grants,
    errors: ['invalid_fields', 'forbidden'],
  }),
  invites: endpoint(peopleCalls.invites, {
    access: { instance: 'people.read' },
    token: 'account:read',
    summary: 'Invitations, open ones first',
    response: z.array(Invite),
  }),
  invite: endpoint(peopleCalls.invite, {
    access: manage,
    proven: true,
    summary: 'Invite somebody; the link can be copied, and is mailed where an address is given and mail works',
    body: InviteInput,
    response: CreatedInvite,
    errors: ['invalid_fields', 'forbidden', 'email_taken'],
    ratePerMinute: 30,
  }),
  resendInvite: endpoint(peopleCalls.resendInvite, {
    access: manage,
    proven: true,
    summary: 'A new link for an invitation; the old one ends',
    params: IdParams,
    response: CreatedInvite,
    errors: ['not_found', 'bad_transition', 'too_many_requests', 'forbidden'],
  }),
  revokeInvite: endpoint(peopleCalls.revokeInvite, {
    access: manage,
    summary: 'Revoke an invitation',
    params: IdParams,
    errors: ['not_found', 'bad_transition'],
  }),
} as const;
