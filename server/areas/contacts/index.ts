import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contactEndpoints as endpoints } from '../../../contract/contacts/schemas';
import type { Contact } from '../../../contract/contacts/schemas';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import type { ResponseOf, CallOf } from '../../http/route';
import { mailWorks, postNow, queueMail, sendNow } from '../../mail';
import { refusalOf } from '../../net/publicAddress';
import { isTimeZone } from '../../../contract/timeZone';
import { actorOf } from '../audit';
import { sitesOf } from '../sites';
import { EmailTaken, addContact, changeContact, mergeContacts, removeContact } from './changes';
import type { ContactFields } from './changes';
import { contactHealth } from './health';
import { importContacts } from './importing';
import { makeVerifyLink, readLink, useLink } from './links';
import * as queries from './queries';
import type { ContactRecord } from './queries';
import { contactResponse } from './responses';
import { contactMessages } from './messages';
import type { Area } from '../area';
import { createThrottle } from '../../kit/throttle';
import type { Throttle } from '../../kit/throttle';

export { countHearers, notifyContacts } from './notify';
export type { NoticeMessage } from './notify';
export { tellSecurity } from './security';

/** Only what was really sent: a key that is absent must not become null. */
const present = <T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };

type Writing = { readonly session: SessionInfo; readonly params: { readonly id: string }; readonly request: FastifyRequest; readonly ifMatch: () => number };

/** An API token that was made for some sites reads and writes contacts for these sites and no others; those for every site are others. */
const isOpenTo = ({ token }: SessionInfo, siteIds: readonly string[] | null): boolean =>
  !token?.siteIds || (siteIds !== null && siteIds.every((id) => token.siteIds?.includes(id)));

/** What is not for the caller is not there. */
async function find(ctx: Context, session: SessionInfo, id: string): Promise<ContactRecord> {
  const row = await queries.findContact(ctx.postgres.db, id);
  return row && isOpenTo(session, row.siteIds) ? row : fail('not_found');
}

/** Sites that the caller may see, and those that the contact has already (which somebody else chose, or which are gone). */
async function check(ctx: Context, session: SessionInfo, fields: Partial<ContactFields>, before: ContactRecord | null): Promise<void> {
  if (fields.quietHours && !isTimeZone(fields.quietHours.timeZone)) fail('invalid_fields', { fields: { 'quietHours.timeZone': { code: 'not_a_time_zone' } } });
  // One that was kept before may stay: what is sent there is judged each time.
  const webhook = fields.webhook === before?.webhook ? null : (fields.webhook ?? null);
  const refusal = webhook === null ? null : refusalOf(new URL(webhook), ctx.config.privateWebhooks);
  if (refusal !== null) failField('webhook', refusal);
  if (fields.siteIds !== undefined && !isOpenTo(session, fields.siteIds)) failField('siteIds', 'unknown');
  const addedSiteIds = (fields.siteIds ?? []).filter((id) => !before?.siteIds?.includes(id));
  if (addedSiteIds.length === 0) return;
  const visibleIds = new Set((await sitesOf(ctx, session)).map((site) => site.id));
  if (!addedSiteIds.every((id) => visibleIds.has(id))) failField('siteIds', 'unknown');
}

/** Runs a write. Another contact with the same address is a conflict, and is shown so that the two can be merged. */
async function writing(ctx: Context, session: SessionInfo, work: () => Promise<ContactRecord | null>, id: string | null): Promise<Contact> {
  const { db } = ctx.postgres;
  const row = await work().catch(async (error: unknown) => {
    if (!(error instanceof EmailTaken)) throw error;
    const other = await queries.findByEmail(db, error.email);
    return fail('email_taken', {
      fields: { email: { code: 'taken' } },
      ...(other && isOpenTo(session, other.siteIds) && { current: contactResponse(ctx, session, other) }),
    });
  });
  if (row) return contactResponse(ctx, session, row);
  const current = id === null ? null : await queries.findContact(db, id);
  return current ? fail('stale_revision', { current: contactResponse(ctx, session, current) }) : fail('not_found');
}

async function createContact(ctx: Context, call: CallOf<typeof endpoints.addContact>): Promise<Contact> {
  await check(ctx, call.session, call.body, null);
  return writing(ctx, call.session, () => addContact(ctx, actorOf(call), call.body), null);
}

const change = async (ctx: Context, call: Writing, fields: Partial<ContactFields>): Promise<Contact> => {
  const { session, params, ifMatch } = call;
  await check(ctx, session, fields, await find(ctx, session, params.id));
  return writing(ctx, session, () => changeContact(ctx, actorOf(call), { id: params.id, revision: ifMatch(), fields }), params.id);
};

async function deleteContact(ctx: Context, call: CallOf<typeof endpoints.removeContact>): Promise<void> {
  await find(ctx, call.session, call.params.id);
  if (!(await removeContact(ctx, actorOf(call), call.params.id))) fail('not_found');
}

async function mergeInto(ctx: Context, call: CallOf<typeof endpoints.mergeContacts>): Promise<Contact> {
  const { session, params, body, ifMatch } = call;
  if (params.id === body.from) failField('from', 'duplicate');
  await find(ctx, session, body.from);
  return writing(ctx, session, () => mergeContacts(ctx, actorOf(call), { id: params.id, from: body.from, revision: ifMatch() }), params.id);
}

async function verifyContact(
  ctx: Context,
  { session, params }: CallOf<typeof endpoints.verifyContact>,
  throttle: Throttle,
  host: string,
): Promise<ResponseOf<typeof endpoints.verifyContact>> {
  const { id, name, email, emailVerifiedAt, locale } = await find(ctx, session, params.id);
  if (email === null || emailVerifiedAt !== null) return fail('conflict');
  await throttle.limit(`contact verify ${id}`, 5, 3600);
  return ctx.postgres.db.transaction(async (tx) => {
    const { url, expiresAt } = await makeVerifyLink(ctx, tx, { id, email });
    const { subject, paragraphs, action, footer } = contactMessages[locale].verify;
    const letter = { to: email, locale, subject, paragraphs: paragraphs(name, host), action: { label: action, url }, footer };
    const mailed = await queueMail(ctx, tx, letter, { kind: 'contact.verify', contactId: id });
    return { url: mailed ? null : url, mailed, expiresAt: expiresAt.toISOString() };
  });
}

async function testContact(
  ctx: Context,
  { session, params, body }: CallOf<typeof endpoints.testContact>,
  throttle: Throttle,
  host: string,
): Promise<ResponseOf<typeof endpoints.testContact>> {
  const contact = await find(ctx, session, params.id);
  const { test } = contactMessages[contact.locale];
  const [subject, text] = [test.subject, test.paragraph(session.displayName, host)];
  if (body.channel === 'webhook') {
    if (contact.webhook === null || contact.webhookSecret === null) return fail('conflict');
    await throttle.limit(`contact test ${contact.id}`, 20, 3600);
    const secret = ctx.secrets.open('webhook', contact.webhookSecret);
    return postNow(ctx, { url: contact.webhook, secret, topic: 'test', subject, text, site: null, link: null });
  }
  // An address that nobody has confirmed gets nothing but the question whether it is right.
  if (contact.email === null || contact.emailVerifiedAt === null) return fail('conflict', { fields: { email: { code: 'not_verified' } } });
  if (!mailWorks(ctx.config)) return fail('mail_off');
  await throttle.limit(`contact test ${contact.id}`, 20, 3600);
  return sendNow(ctx, { to: contact.email, locale: contact.locale, subject, paragraphs: [text] });
}

async function importList(ctx: Context, call: CallOf<typeof endpoints.importContacts>): Promise<ResponseOf<typeof endpoints.importContacts>> {
  const rows = await importContacts(ctx, actorOf(call), { ...call.body, locale: call.locale });
  return { rows, added: rows.filter(({ result }) => result === 'added').length };
}

/** `contacts/{id}` is one contact; PUT replaces it, PATCH merges. */
function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);
  const { host } = new URL(ctx.config.publicUrl);
  route(app, ctx, endpoints.contacts, async ({ session }) =>
    (await queries.allContacts(db)).filter((row) => isOpenTo(session, row.siteIds)).map((row) => contactResponse(ctx, session, row)),
  );
  route(app, ctx, endpoints.contactHealth, () => contactHealth(ctx));
  route(app, ctx, endpoints.contact, async ({ session, params }) => contactResponse(ctx, session, await find(ctx, session, params.id)));
  route(app, ctx, endpoints.addContact, (call) => createContact(ctx, call));
  route(app, ctx, endpoints.replaceContact, (call) => change(ctx, call, call.body));
  route(app, ctx, endpoints.changeContact, (call) => change(ctx, call, present(call.body)));
  route(app, ctx, endpoints.removeContact, (call) => deleteContact(ctx, call));
  route(app, ctx, endpoints.mergeContacts, (call) => mergeInto(ctx, call));
  route(app, ctx, endpoints.verifyContact, (call) => verifyContact(ctx, call, throttle, host));
  route(app, ctx, endpoints.testContact, (call) => testContact(ctx, call, throttle, host));
  route(app, ctx, endpoints.importContacts, (call) => importList(ctx, call));
  route(app, ctx, endpoints.contactLinkState, async ({ body }) => (await readLink(ctx, db, body.token)) ?? fail('link_ended'));
  route(app, ctx, endpoints.useContactLink, async (call) => (await useLink(ctx, call.body.token, actorOf(call))) ?? fail('link_ended'));
}

/** Forgets links that are over. Runs on a schedule. */
const sweepContactLinks = async (ctx: Context): Promise<void> => void (await queries.deleteLinksBefore(ctx.postgres.db, new Date(ctx.now())));

export const area: Area = { register, schedules: [{ name: 'contactLinks.sweep', every: 3_600_000, run: sweepContactLinks }] };
