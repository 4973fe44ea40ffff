import { z } from 'zod';
import { endpoint } from './endpoint';
import { LoginName, NewPassword, User, colorSchemes, primaries, uiLocales } from './session';
import { safeName, safeText } from './text';

export const UserChange = z.strictObject({
  displayName: safeName(40).optional(),
  locale: z.enum(uiLocales).optional(),
  timeZone: z.string().max(64).optional(),
  colorScheme: z.enum(colorSchemes).optional(),
  primary: z.enum(primaries).optional(),
});
export type UserChange = z.input<typeof UserChange>;

export const contactTopics = ['notice', 'security', 'certificate', 'filing', 'uptime', 'crawl', 'support', 'billing'] as const;
export const contactTitles = ['owner', 'technical', 'operations', 'finance', 'editor', 'other'] as const;

/** A person to notify or to print on filings; not a sign-in. */
export const Contact = z.object({
  id: z.uuid(),
  name: z.string(),
  company: z.string(),
  title: z.enum(contactTitles),
  email: z.string().nullable(),
  emailVerifiedAt: z.iso.datetime().nullable(),
  phone: z.string().nullable(),
  locale: z.enum(uiLocales),
  topics: z.array(z.enum(contactTopics)),
  note: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  revision: z.int(),
});
export type Contact = z.infer<typeof Contact>;

const email = z.string().trim().max(254).pipe(z.email());
/** E.164, spaces and dashes dropped. */
const phone = z
  .string()
  .transform((s) => s.replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\+?[0-9]{5,15}$/));

export const ContactInput = z.strictObject({
  name: safeName(40),
  company: safeText(100).default(''),
  title: z.enum(contactTitles).default('other'),
  email: email.nullable().default(null),
  phone: phone.nullable().default(null),
  locale: z.enum(uiLocales).default('zh-CN'),
  topics: z.array(z.enum(contactTopics)).max(20).default([]),
  note: safeText(1000).default(''),
});
export type ContactInput = z.input<typeof ContactInput>;

/** Like `ContactInput` without its defaults: only what is named changes. */
export const ContactChange = z.strictObject({
  name: safeName(40).optional(),
  company: safeText(100).optional(),
  title: z.enum(contactTitles).optional(),
  email: email.nullable().optional(),
  phone: phone.nullable().optional(),
  locale: z.enum(uiLocales).optional(),
  topics: z.array(z.enum(contactTopics)).max(20).optional(),
  note: safeText(1000).optional(),
});
export type ContactChange = z.input<typeof ContactChange>;

const IdParams = z.object({ id: z.uuid() });

export const accountEndpoints = {
  user: endpoint({
    id: 'user',
    method: 'GET',
    path: '/api/acc/user/:id',
    access: 'session',
    summary: 'One person: oneself, or one whom the caller has a reason to see',
    params: IdParams,
    answer: User,
    errors: ['not_found'],
  }),
  changeUser: endpoint({
    id: 'changeUser',
    method: 'PATCH',
    path: '/api/acc/user/:id',
    access: 'session',
    summary: 'Change the own profile (If-Match: revision)',
    params: IdParams,
    body: UserChange,
    answer: User,
    errors: ['not_found', 'stale_revision', 'invalid_fields'],
  }),
  rename: endpoint({
    id: 'rename',
    method: 'POST',
    path: '/api/acc/sign/rename',
    access: 'session',
    summary: 'Change the own login name; needs the password proven within ten minutes',
    body: z.strictObject({ loginName: LoginName }),
    answer: User,
    errors: ['reauth_required', 'name_taken', 'invalid_fields', 'too_many_requests'],
    ratePerMinute: 20,
  }),
  changePassword: endpoint({
    id: 'changePassword',
    method: 'POST',
    path: '/api/acc/sign/password',
    access: 'session',
    summary: 'Change the own password; every other session ends',
    body: z.strictObject({ current: z.string().min(1).max(128), next: NewPassword }),
    errors: ['invalid_fields', 'too_many_requests'],
    ratePerMinute: 20,
  }),
  contacts: endpoint({
    id: 'contacts',
    method: 'GET',
    path: '/api/acc/contacts',
    access: { instance: 'contacts.read' },
    summary: 'All contacts of this account',
    answer: z.array(Contact),
  }),
  contact: endpoint({
    id: 'contact',
    method: 'GET',
    path: '/api/acc/contacts/:id',
    access: { instance: 'contacts.read' },
    summary: 'One contact',
    params: IdParams,
    answer: Contact,
    errors: ['not_found'],
  }),
  addContact: endpoint({
    id: 'addContact',
    method: 'POST',
    path: '/api/acc/contacts',
    access: { instance: 'contacts.write' },
    summary: 'Add a contact',
    body: ContactInput,
    answer: Contact,
    errors: ['invalid_fields', 'email_taken'],
  }),
  replaceContact: endpoint({
    id: 'replaceContact',
    method: 'PUT',
    path: '/api/acc/contacts/:id',
    access: { instance: 'contacts.write' },
    summary: 'Replace a contact whole (If-Match: revision)',
    params: IdParams,
    body: ContactInput,
    answer: Contact,
    errors: ['not_found', 'stale_revision', 'invalid_fields', 'email_taken'],
  }),
  changeContact: endpoint({
    id: 'changeContact',
    method: 'PATCH',
    path: '/api/acc/contacts/:id',
    access: { instance: 'contacts.write' },
    summary: 'Change some fields of a contact (If-Match: revision)',
    params: IdParams,
    body: ContactChange,
    answer: Contact,
    errors: ['not_found', 'stale_revision', 'invalid_fields', 'email_taken'],
  }),
  removeContact: endpoint({
    id: 'removeContact',
    method: 'DELETE',
    path: '/api/acc/contacts/:id',
    access: { instance: 'contacts.write' },
    summary: 'Remove a contact',
    params: IdParams,
    errors: ['not_found'],
  }),
} as const;
