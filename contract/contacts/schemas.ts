import { z } from 'zod';
import { contactCalls } from './calls';
import { endpoint } from '../endpoint';
import { fieldCodes } from '../errors';
import { uiLocales } from '../session/schemas';
import { rowId, safeName, safeText } from '../text';

export const contactTopics = ['notice', 'security', 'certificate', 'filing', 'uptime', 'crawl', 'support', 'billing', 'report', 'traffic'] as const;
export type ContactTopic = (typeof contactTopics)[number];
/** Topics sent even in quiet hours, and without an unsubscribe link. */
export const urgentTopics: readonly ContactTopic[] = ['security'];
export const contactTitles = ['owner', 'technical', 'operations', 'finance', 'editor', 'other'] as const;
export const contactKinds = ['notice', 'filing', 'billing', 'technical', 'emergency'] as const;
export const contactChannels = ['mail', 'webhook'] as const;
export type ContactChannel = (typeof contactChannels)[number];

/** Channels by topic; a topic that is absent is not sent. */
const Subscriptions = z.partialRecord(z.enum(contactTopics), z.array(z.enum(contactChannels)).max(contactChannels.length));
export type Subscriptions = z.infer<typeof Subscriptions>;

/** Wall-clock times `HH:MM` in `timeZone`; a range with `from` after `to` spans midnight. */
const QuietHours = z.strictObject({
  timeZone: z.string().max(64),
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  to: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
});
export type QuietHours = z.infer<typeof QuietHours>;

/** A person to notify or to name on filings; not an account. */
export const Contact = z.object({
  id: z.uuid(),
  name: z.string(),
  company: z.string(),
  title: z.enum(contactTitles),
  email: z.string().nullable(),
  emailVerifiedAt: z.iso.datetime().nullable(),
  phone: z.string().nullable(),
  wechat: z.string(),
  address: z.string(),
  kinds: z.array(z.enum(contactKinds)),
  locale: z.enum(uiLocales),
  /** null: every site. */
  siteIds: z.array(z.string()).nullable(),
  subscriptions: Subscriptions,
  webhook: z.string().nullable(),
  /** Secret that signs messages to `webhook` (`whsec_` and Base64, Standard Webhooks); null without a webhook. */
  webhookSecret: z.string().nullable(),
  quietHours: QuietHours.nullable(),
  note: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  revision: z.int(),
});
export type Contact = z.infer<typeof Contact>;

const email = z.string().trim().max(254).pipe(z.email());
/** E.164; spaces and dashes are removed. */
const phone = z
  .string()
  .transform((s) => s.replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\+?[0-9]{5,15}$/));
const webhook = z
  .string()
  .trim()
  .max(500)
  .pipe(z.url({ protocol: /^https?$/ }));

const fields = {
  name: safeName(40),
  company: safeText(100),
  title: z.enum(contactTitles),
  email: email.nullable(),
  phone: phone.nullable(),
  wechat: safeText(60),
  address: safeText(200),
  kinds: z.array(z.enum(contactKinds)).max(contactKinds.length),
  locale: z.enum(uiLocales),
  /** At least one site; a contact who is to receive nothing has no topics instead. */
  siteIds: z.array(z.string().max(20)).min(1).max(500).nullable(),
  subscriptions: Subscriptions,
  webhook: webhook.nullable(),
  quietHours: QuietHours.nullable(),
  note: safeText(1000),
};

export const ContactInput = z.strictObject({
  name: fields.name,
  company: fields.company.default(''),
  title: fields.title.default('other'),
  email: fields.email.default(null),
  phone: fields.phone.default(null),
  wechat: fields.wechat.default(''),
  address: fields.address.default(''),
  kinds: fields.kinds.default([]),
  locale: fields.locale.default('zh-CN'),
  siteIds: fields.siteIds.default(null),
  subscriptions: fields.subscriptions.default({}),
  webhook: fields.webhook.default(null),
  quietHours: fields.quietHours.default(null),
  note: fields.note.default(''),
});
export type ContactInput = z.input<typeof ContactInput>;

/** Like `ContactInput` without its defaults: only the fields present change. */
export const ContactChange = z.strictObject(fields).partial();
export type ContactChange = z.input<typeof ContactChange>;

/** Result of one line of an imported file: added, duplicate or refused. */
export const ImportedContact = z.object({
  /** Line at which the entry begins in the file, from 1. */
  line: z.int(),
  name: z.string(),
  email: z.string().nullable(),
  result: z.enum(['added', 'duplicate', 'refused']),
  /** The field that was refused, and why. */
  field: z.string().nullable(),
  code: z.enum(fieldCodes).nullable(),
});
export type ImportedContact = z.infer<typeof ImportedContact>;
/** Maximum number of contacts in one file. */
export const importLimit = 1000;

const IdParams = z.object({ id: rowId });
const linkToken = z.string().min(1).max(200);
const write = { instance: 'contacts.write' } as const;
const read = { instance: 'contacts.read' } as const;

export const contactEndpoints = {
  contacts: endpoint(contactCalls.contacts, {
    access: read,
    token: 'account:read',
    summary: 'All contacts of this account',
    response: z.array(Contact),
  }),
  /** Health of the whole list of contacts. */
  contactHealth: endpoint(contactCalls.contactHealth, {
    access: read,
    token: 'account:read',
    summary: 'Topics that reach nobody, addresses that stand in two contacts, and whether mail works',
    response: z.object({ mail: z.boolean(), unheard: z.array(z.enum(contactTopics)), waiting: z.int(), failed: z.int() }),
  }),
  contact: endpoint(contactCalls.contact, {
    access: read,
    token: 'account:read',
    summary: 'One contact',
    params: IdParams,
    response: Contact,
    errors: ['not_found'],
  }),
  addContact: endpoint(contactCalls.addContact, {
    access: write,
    token: 'account:write',
    summary: 'Add a contact',
    body: ContactInput,
    response: Contact,
    errors: ['invalid_fields', 'email_taken'],
  }),
  replaceContact: endpoint(contactCalls.replaceContact, {
    ifMatch: 'required',
    access: write,
    token: 'account:write',
    summary: 'Replace a contact whole (If-Match: revision)',
    params: IdParams,
    body: ContactInput,
    response: Contact,
    errors: ['not_found', 'stale_revision', 'invalid_fields', 'email_taken'],
  }),
  changeContact: endpoint(contactCalls.changeContact, {
    ifMatch: 'required',
    access: write,
    token: 'account:write',
    summary: 'Change some fields of a contact (If-Match: revision)',
    params: IdParams,
    body: ContactChange,
    response: Contact,
    errors: ['not_found', 'stale_revision', 'invalid_fields', 'email_taken'],
  }),
  removeContact: endpoint(contactCalls.removeContact, {
    access: write,
    token: 'account:write',
    summary: 'Remove a contact',
    params: IdParams,
    errors: ['not_found'],
  }),
  verifyContact: endpoint(contactCalls.verifyContact, {
    access: write,
    summary: 'Ask the contact to confirm the address: by mail where mail works, else by a link to hand over',
    params: IdParams,
    /** `url` is present only when mail is off: otherwise its readers could confirm an address without having the mailbox. */
    response: z.object({ url: z.string().nullable(), mailed: z.boolean(), expiresAt: z.iso.datetime() }),
    errors: ['not_found', 'conflict', 'too_many_requests'],
    ratePerMinute: 30,
  }),
  testContact: endpoint(contactCalls.testContact, {
    access: write,
    summary: 'Send a test message on one channel and wait for what comes of it (15 s at most)',
    params: IdParams,
    body: z.strictObject({ channel: z.enum(contactChannels) }),
    /** `detail`: the response of the mail server or the webhook. */
    response: z.object({ delivered: z.boolean(), detail: z.string() }),
    errors: ['not_found', 'conflict', 'mail_off', 'too_many_requests'],
    ratePerMinute: 20,
  }),
  mergeContacts: endpoint(contactCalls.mergeContacts, {
    ifMatch: 'required',
    access: write,
    summary: 'Take over into this contact what it lacks and the other has, and remove the other (If-Match: revision of this one)',
    params: IdParams,
    body: z.strictObject({ from: rowId }),
    response: Contact,
    errors: ['not_found', 'stale_revision', 'invalid_fields'],
  }),
  importContacts: endpoint(contactCalls.importContacts, {
    access: write,
    summary: 'Add contacts from a CSV table or a vCard file; `dryRun` only says what would happen',
    body: z.strictObject({ format: z.enum(['csv', 'vcard']), text: z.string().max(1_000_000), dryRun: z.boolean().default(false) }),
    response: z.object({ rows: z.array(ImportedContact), added: z.int() }),
    errors: ['invalid_fields', 'too_large'],
    bodyLimit: 4_500_000,
  }),
  contactLinkState: endpoint(contactCalls.contactLinkState, {
    access: 'public',
    summary: 'What a link sent to a contact is for, while it is good',
    body: z.object({ token: linkToken }),
    response: z.object({ kind: z.enum(['verify', 'unsubscribe']), email: z.string(), topic: z.enum(contactTopics).nullable() }),
    errors: ['link_ended'],
    ratePerMinute: 60,
  }),
  useContactLink: endpoint(contactCalls.useContactLink, {
    access: 'public',
    summary: 'Confirm a contact’s address, or stop one topic, by link',
    body: z.object({ token: linkToken }),
    response: z.object({ kind: z.enum(['verify', 'unsubscribe']), email: z.string(), topic: z.enum(contactTopics).nullable() }),
    errors: ['link_ended'],
    ratePerMinute: 20,
  }),
} as const;
