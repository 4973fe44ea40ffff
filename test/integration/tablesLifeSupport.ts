import { eq, sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import type { SiteRole } from '../../contract/permissions';
import type { Site } from '../../contract/sites/schemas';
import type { ContentRecord, RecordPage, Written } from '../../contract/tables/records';
import type { ContentTable, FieldInput, TableInput } from '../../contract/tables/schemas';
import { contentRules, contentSites } from '../../server/areas/tables/core/schema';
import type { Person, TestApp } from '../support/app';

export type Failed = { readonly code: string; readonly fields?: Record<string, { code: string }>; readonly current?: unknown };
export type Calls = {
  readonly path: (rest: string) => string;
  readonly get: <T>(rest: string, by?: Person) => Promise<T>;
  readonly post: <T>(rest: string, body: object, by?: Person) => Promise<T>;
  readonly send: (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', rest: string, body?: object, revision?: number, by?: Person) => Promise<LightMyRequestResponse>;
  /** Error code of a failed call. */ readonly refused: (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    rest: string,
    body?: object,
    revision?: number,
    by?: Person,
  ) => Promise<string>;
  readonly table: (input: Partial<TableInput> & { title: string; fields: FieldInput[] }) => Promise<ContentTable>;
  /** Creates records; returns their ids in order. */ readonly add: (table: string, records: object[], by?: Person) => Promise<string[]>;
  readonly rows: (table: string, query?: string, by?: Person) => Promise<ContentRecord[]>;
};

/** Calls on the records of one site. `rest` is the path after `/table/`. */
export function callsOf(owner: Person, site: Site): Calls {
  const path = (rest: string): string => `/api/site/${site.id}/table/${rest}`;
  const opened = (what: string, answer: LightMyRequestResponse): LightMyRequestResponse => {
    if (answer.statusCode >= 300) throw new Error(`${what}: ${answer.statusCode} ${answer.body}`);
    return answer;
  };
  const send: Calls['send'] = (method, rest, body, revision, by = owner) =>
    by.send(method, path(rest), body, revision === undefined ? {} : { 'if-match': `"${revision}"` });
  const get: Calls['get'] = async <T>(rest: string, by = owner) => opened(rest, await by.get(path(rest))).json<{ data: T }>().data;
  const post: Calls['post'] = async <T>(rest: string, body: object, by = owner) =>
    opened(rest, await send('POST', rest, body, undefined, by)).json<{ data: T }>().data;
  return {
    path,
    get,
    post,
    send,
    refused: async (...args) => {
      const answer = await send(...args);
      return answer.statusCode < 300 ? `went through: ${answer.body}` : answer.json<Failed>().code;
    },
    table: (input) => post<ContentTable>('tables', input),
    add: async (table, records, by) => (await post<Written>(`tables/${table}/records`, { records }, by)).records.map(({ id }) => id),
    rows: async (table, query = '', by = owner) => (await get<RecordPage>(`tables/${table}/records?limit=1000${query && `&${query}`}`, by)).rows,
  };
}

/** A person with a role on the site. */
export async function personOn(program: TestApp, site: Site, role: SiteRole): Promise<Person> {
  const person = await program.makePerson('member');
  await program.grant(site.id, person.userId, role);
  return person;
}

/** SQL on the records of a site, bypassing the API: `$site` is replaced by its schema; other names are given verbatim. */
export const ask = async <T extends object>(program: TestApp, site: Site, text: string, values: unknown[] = []): Promise<T[]> =>
  (await program.ctx.postgres.pool.query<T>(text.replaceAll('$site', `s_${site.id}`), values)).rows;

/** Sets an access rule as an administrator. */
export async function setRule(
  program: TestApp,
  table: ContentTable,
  site: Site,
  rule: Pick<typeof contentRules.$inferInsert, 'role' | 'action' | 'allowed'> & Partial<typeof contentRules.$inferInsert>,
): Promise<void> {
  const { db } = program.ctx.postgres;
  await db.insert(contentRules).values({ siteId: site.id, tableId: table.id, ...rule });
  await db
    .update(contentSites)
    .set({ revision: sql`${contentSites.revision} + 1` })
    .where(eq(contentSites.siteId, site.id));
}
