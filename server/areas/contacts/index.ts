import type { FastifyInstance } from 'fastify';
import { contactEndpoints as endpoints } from '../../../contract/contacts';
import type { Contact } from '../../../contract/contacts';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { violatedConstraint } from '../../stores/postgres/conflict';
import * as queries from './queries';
import type { ContactRecord, ContactValues } from './queries';

const shown = (row: ContactRecord): Contact => ({
  ...row,
  webhookSecret: null,
  emailVerifiedAt: row.emailVerifiedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Only what was really sent: a key that is absent must not become null. */
const present = <T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };

/** `contacts/{id}` is one contact; PUT replaces it, PATCH merges. */
export function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  /** Runs a write; two contacts with one address are a conflict. */
  async function writing(work: () => Promise<ContactRecord | null>, id: string | null): Promise<Contact> {
    const row = await work().catch((error: unknown) =>
      violatedConstraint(error) === 'contacts_email_key' ? fail('email_taken', { fields: { email: { code: 'taken' } } }) : Promise.reject(error),
    );
    if (row) return shown(row);
    const current = id === null ? null : await queries.findContact(db, id);
    return current ? fail('stale_revision', { current: shown(current) }) : fail('not_found');
  }
  const change = (id: string, revision: number, values: Partial<ContactValues>) =>
    writing(() => queries.updateContact(db, id, revision, values, new Date(ctx.now())), id);

  route(app, ctx, endpoints.contacts, async () => (await queries.allContacts(db)).map(shown));
  route(app, ctx, endpoints.contact, async ({ params }) => {
    const row = await queries.findContact(db, params.id);
    return row ? shown(row) : fail('not_found');
  });
  route(app, ctx, endpoints.addContact, ({ body }) => writing(() => queries.insertContact(db, body, new Date(ctx.now())), null));
  route(app, ctx, endpoints.replaceContact, ({ params, body, ifMatch }) => change(params.id, ifMatch(), body));
  route(app, ctx, endpoints.changeContact, ({ params, body, ifMatch }) => change(params.id, ifMatch(), present(body)));
  route(app, ctx, endpoints.removeContact, async ({ params }) => {
    if (!(await queries.deleteContact(db, params.id))) fail('not_found');
  });
}
