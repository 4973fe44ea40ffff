import type { FastifyInstance } from 'fastify';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { LiveEvent } from '../../contract/live/schemas';
import type { SiteAction, SiteRole } from '../../contract/permissions';
import type { Context } from '../context';
import type { JobHandler, Schedule } from '../worker';

/** What deleting a person needs of a transaction. */
type PersonTransaction = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
type Transaction = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0];

/** Live events about one site, whose readers name the topic `<kind>:<siteId>`. */
export type SiteTopic = {
  readonly kind: string;
  /** What a reader must be allowed to do on the site. */
  readonly action: SiteAction;
  readonly events: readonly LiveEvent['type'][];
  /** The part of an event that a reader with a role on the site may see; null: nothing of it. Absent: all of it. */
  readonly visibleTo?: (ctx: Context, role: SiteRole, event: LiveEvent) => Promise<LiveEvent | null>;
};

/** The manifest of an area: everything that it adds to the program. `server/areas/index.ts` lists them. */
export type Area = {
  /** Registers the area's routes. `areas`: all manifests, for what every area has a part in, such as deleting a person. */
  readonly register: (app: FastifyInstance, ctx: Context, areas: readonly Area[]) => void;
  /** Long pieces of work that the worker does once each, with progress. */
  readonly jobs?: readonly JobHandler[];
  /** What the worker does again and again. */
  readonly schedules?: readonly Schedule[];
  /** What runs beside the worker until it is closed. */
  readonly services?: readonly ((ctx: Context) => { readonly close: () => Promise<void> })[];
  readonly siteTopics?: readonly SiteTopic[];
  /**
   * By kind of resource: the id of the site that a resource belongs to, null where there is no such resource. Endpoints with
   * `access: { resource: 'crawl', … }` name the resource by `:crawlId` in their path.
   */
  readonly siteOf?: Readonly<Record<string, (ctx: Context, id: string) => Promise<string | null>>>;
  /** Erases what does not go with the site's own row (by foreign keys), in the transaction that removes that row. */
  readonly eraseSite?: (tx: Transaction, siteId: string) => Promise<void>;
  /** Erases what opens the account of a person or concerns that person alone, in the transaction that deletes the person. */
  readonly erasePerson?: (tx: PersonTransaction, userId: string, now: Date) => Promise<void>;
  /**
   * Everything that the area stores about a person, for the file that they download: sections by name, which no other area uses. Dates are UTC;
   * nothing that opens anything: no hashes, keys or secrets.
   */
  readonly exportPerson?: (db: NodePgDatabase, userId: string, now: Date) => Promise<Readonly<Record<string, unknown>>>;
};
