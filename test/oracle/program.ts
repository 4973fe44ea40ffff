import { randomUUID } from 'node:crypto';
import { sites } from '../../server/areas/sites/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { filterText } from './compare';
import { visitsFrom } from './reportOracle';
import type { OracleQuestion } from './reportOracle';
import { edges, from, hits, makeHits, to, zones } from './site';
import { storeHits } from './storedHits';
import { storeVisits } from './storedVisits';

/** Noon of the fixture: the program's `now` is always this instant. */
export const now = Date.parse('2026-11-03T09:30:00Z');

/** The visits of the fixture's site. */
export const visits = visitsFrom(hits);
/** Visits of another site, which must never be counted. */
const foreign = visitsFrom(makeHits(7, 40, from, to, edges));

export type Oracle = {
  readonly program: TestApp;
  readonly owner: Person;
  /** The site's id in a zone; its visits are the same in every zone. */
  readonly siteOf: (zone: string) => string;
  /** Calls an endpoint of `/api/site/{id}/als`. Throws unless it answers 200. */
  readonly ask: <T>(zone: string, path: string, params?: Params, siteId?: string) => Promise<T>;
  /** The same with the range, population and filters of a question. */
  readonly answerTo: <T>(question: OracleQuestion, path: string, params?: Params, siteId?: string) => Promise<T>;
  readonly call: <T>(url: string) => Promise<T>;
  readonly close: () => Promise<void>;
};
export type Params = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * The real program with the fixture's site once per zone: the first is built from late, repeated and unordered hits, the
 * others contain finished visits among replaced ones. Queries go over HTTP, as from the console.
 */
export async function openOracle(): Promise<Oracle> {
  const program = await makeTestApp();
  const owner = await program.signUpOwner();
  const ids = new Map<string, string>();
  for (const [index, zone] of zones.entries()) {
    const site = await program.makeSite(owner, { name: zone, timeZone: zone });
    ids.set(zone, site.id);
    if (index === 0) await storeHits(program.ctx.clickhouse, site.id, hits);
    else await storeVisits(program.ctx.clickhouse, site.id, visits, index);
  }
  const other = await program.makeSite(owner, { name: 'Other' });
  await storeVisits(program.ctx.clickhouse, other.id, foreign, 9);
  await program.ctx.postgres.db.update(sites).set({ createdAt: new Date('2024-01-01') });
  Object.assign(program.ctx, { now: () => now });

  // Rate limits count addresses, and a test sends more requests than a person.
  const cookies = Object.fromEntries(owner.cookies);
  let calls = 0;
  async function call<T>(url: string): Promise<T> {
    calls += 1;
    const answer = await program.app.inject({
      method: 'GET',
      url,
      cookies,
      remoteAddress: `10.${Math.floor(calls / 60_000)}.${Math.floor(calls / 250) % 250}.1`,
    });
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
    return answer.json<{ data: T }>().data;
  }
  const siteOf = (zone: string): string => ids.get(zone) ?? randomUUID();
  const ask = <T>(zone: string, path: string, params: Params = {}, siteId = siteOf(zone)): Promise<T> => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) for (const one of typeof value === 'object' ? value : [value]) query.append(name, String(one));
    return call<T>(`/api/site/${siteId}/als/${path}?${query.toString()}`);
  };
  return {
    program,
    owner,
    siteOf,
    ask,
    call,
    answerTo: (question, path, params = {}, siteId = siteOf(question.zone)) =>
      ask(question.zone, path, { from: question.from, to: question.to, who: question.who, filter: question.filters.map(filterText), ...params }, siteId),
    close: () => program.close(),
  };
}
