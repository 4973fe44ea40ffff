import type { ContactInput } from '../../../contract/contacts/schemas';
import type { z } from 'zod';
import type { Context } from '../../context';
import { dropWaiting, moveWaiting } from '../../mail';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { difference, record } from '../audit';
import type { Actor } from '../audit';
import { targetOf } from './links';
import * as queries from './queries';
import type { ContactRecord, ContactValues, Db } from './queries';
import { makeToken } from '../../kit/tokens';

export type ContactFields = z.output<typeof ContactInput>;

/** Another contact already has the e-mail address. */
export class EmailTaken extends Error {
  readonly email: string;

  constructor(email: string) {
    super('another contact has this address');
    this.email = email;
  }
}

const refusingDoubles = async <T>(email: string | null | undefined, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (typeof email === 'string' && violatedConstraint(error) === 'contacts_email_key') throw new EmailTaken(email);
    throw error;
  }
};

/** The fields of a contact that the audit log records. */
const audited = [
  'name',
  'company',
  'title',
  'email',
  'phone',
  'wechat',
  'address',
  'kinds',
  'locale',
  'siteIds',
  'subscriptions',
  'webhook',
  'quietHours',
  'note',
] as const satisfies readonly (keyof ContactRecord)[];

const newSecret = (ctx: Context): string => ctx.secrets.seal('webhook', makeToken());

/** A new webhook address gets a new secret, so that the previous receiver cannot sign for it. */
const secretFor = (ctx: Context, fields: Pick<ContactFields, 'webhook'>): string | null => (fields.webhook === null ? null : newSecret(ctx));

export const addedValues = (ctx: Context, fields: ContactFields): ContactValues => ({ ...fields, webhookSecret: secretFor(ctx, fields) });

/** Throws `EmailTaken`. */
export const addContact = (ctx: Context, actor: Actor, fields: ContactFields): Promise<ContactRecord> =>
  refusingDoubles(fields.email, () =>
    ctx.postgres.db.transaction(async (tx) => {
      const row = await queries.insertContact(tx, addedValues(ctx, fields), new Date(ctx.now()));
      await record(ctx, tx, actor, { action: 'contact.added', target: targetOf(row), after: stated(row) });
      return row;
    }),
  );

/** Anyone who knows a webhook URL can post to it (chat programs include their key in it), so the audit log contains the origin only. */
const withoutKeys = ({ webhook, ...facts }: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...facts,
  ...(typeof webhook === 'string' ? { webhook: new URL(webhook).origin } : webhook === undefined ? {} : { webhook }),
});
const changes = (before: ContactRecord, after: ContactRecord) => {
  const found = difference(before, after, audited);
  return { before: withoutKeys(found.before), after: withoutKeys(found.after) };
};

/** Only fields with a value. */
const stated = (row: ContactRecord): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(withoutKeys(Object.fromEntries(audited.map((key) => [key, row[key]])))).filter(
      ([, value]) => value !== null && value !== '' && JSON.stringify(value) !== '[]',
    ),
  );

/** Null if the contact has another revision in the meantime or was removed. Throws `EmailTaken`. */
export const changeContact = (
  ctx: Context,
  actor: Actor,
  { id, revision, fields }: { id: string; revision: number; fields: Partial<ContactFields> },
): Promise<ContactRecord | null> =>
  refusingDoubles(fields.email, () =>
    ctx.postgres.db.transaction(async (tx) => {
      const [before] = await queries.lockContacts(tx, [id]);
      if (!before || before.revision !== revision) return null;
      const moved = fields.webhook !== undefined && fields.webhook !== before.webhook;
      const values = moved ? { ...fields, webhookSecret: fields.webhook === null ? null : newSecret(ctx) } : fields;
      const row = await queries.updateContact(tx, id, revision, values, new Date(ctx.now()));
      if (!row) return null;
      await forgetAddresses(tx, before, row);
      await record(ctx, tx, actor, { action: 'contact.changed', target: targetOf(row), ...changes(before, row) });
      return row;
    }),
  );

/** Messages waiting for an address that the contact no longer has are dropped. */
async function forgetAddresses(tx: Db, before: ContactRecord, after: ContactRecord): Promise<void> {
  if (before.email !== null && before.email.toLowerCase() !== after.email?.toLowerCase()) {
    await dropWaiting(tx, after.id, 'mail');
    await queries.deleteLinks(tx, after.id);
  }
  if (before.webhook !== null && before.webhook !== after.webhook) await dropWaiting(tx, after.id, 'webhook');
}

/** False if the contact does not exist. */
export const removeContact = (ctx: Context, actor: Actor, id: string): Promise<boolean> =>
  ctx.postgres.db.transaction(async (tx) => {
    const row = await queries.deleteContact(tx, id);
    if (!row) return false;
    await dropWaiting(tx, id);
    await record(ctx, tx, actor, { action: 'contact.removed', target: targetOf(row), before: stated(row) });
    return true;
  });

/**
 * Merges another contact into a contact and removes the other: missing values are filled in, lists are joined, notes are appended; other existing values stay.
 * Null if one of them was removed, or the first has another revision in the meantime.
 */
export const mergeContacts = (
  ctx: Context,
  actor: Actor,
  { id, from, revision }: { id: string; from: string; revision: number },
): Promise<ContactRecord | null> =>
  ctx.postgres.db.transaction(async (tx) => {
    const rows = await queries.lockContacts(tx, [id, from]);
    const target = rows.find((row) => row.id === id);
    const other = rows.find((row) => row.id === from);
    if (!target || !other || target.revision !== revision) return null;
    // The other contact is deleted before its address is copied: the unique index allows an address only once.
    await moveWaiting(tx, from, id);
    await queries.deleteContact(tx, from);
    const row = await queries.updateContact(tx, id, revision, merged(target, other), new Date(ctx.now()));
    if (!row) return null;
    await record(ctx, tx, actor, {
      action: 'contact.merged',
      target: targetOf(row),
      before: { ...changes(target, row).before, removed: other.name },
      after: changes(target, row).after,
    });
    return row;
  });

const union = <T>(one: readonly T[], other: readonly T[]): T[] => [...new Set([...one, ...other])];
const noteLimit = 1000;

/** The values of `target` after merging `other` into it. */
export function merged(target: ContactRecord, other: ContactRecord): Partial<ContactValues & Pick<ContactRecord, 'emailVerifiedAt'>> {
  const text = (key: 'company' | 'wechat' | 'address') => (target[key] === '' ? other[key] : target[key]);
  const topics = union(Object.keys(target.subscriptions), Object.keys(other.subscriptions)) as (keyof ContactRecord['subscriptions'])[];
  // The note of the removed contact is appended as far as the limit allows.
  const note =
    other.note === '' || target.note.includes(other.note)
      ? target.note
      : [target.note, other.note]
          .filter((one) => one !== '')
          .join('\n')
          .slice(0, noteLimit);
  return {
    company: text('company'),
    wechat: text('wechat'),
    address: text('address'),
    title: target.title === 'other' ? other.title : target.title,
    email: target.email ?? other.email,
    // An address confirmed in either contact stays confirmed.
    emailVerifiedAt:
      target.email === null || target.email.toLowerCase() === other.email?.toLowerCase()
        ? (target.emailVerifiedAt ?? other.emailVerifiedAt)
        : target.emailVerifiedAt,
    phone: target.phone ?? other.phone,
    kinds: union(target.kinds, other.kinds),
    siteIds: target.siteIds === null || other.siteIds === null ? null : union(target.siteIds, other.siteIds),
    subscriptions: Object.fromEntries(topics.map((topic) => [topic, union(target.subscriptions[topic] ?? [], other.subscriptions[topic] ?? [])])),
    ...(target.webhook === null ? { webhook: other.webhook, webhookSecret: other.webhookSecret } : {}),
    quietHours: target.quietHours ?? other.quietHours,
    note,
  };
}
