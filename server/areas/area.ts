import type { FastifyInstance } from 'fastify';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { LiveEvent } from '../../contract/live/schemas';
import type { SiteAction, SiteRole, TokenScope } from '../../contract/permissions';
import type { FigureSource, SiteFigures } from '../../contract/sites/list';
import type { Site } from '../../contract/sites/schemas';
import type { Context } from '../context';
import type { JobHandler, Schedule } from '../worker';

/** The transaction operations needed to delete a person. */
type PersonTransaction = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
type Transaction = Parameters<Parameters<NodePgDatabase['transaction']>[0]>[0];

/** Live events about one site; subscribers use the topic `<kind>:<siteId>`. */
export type SiteTopic = {
  readonly kind: string;
  /** The permission that a subscriber needs on the site. */
  readonly action: SiteAction;
  readonly events: readonly LiveEvent['type'][];
  /** The part of an event that a reader with a role on the site may see; null: nothing. Absent: the whole event. */
  readonly visibleTo?: (ctx: Context, role: SiteRole, event: LiveEvent) => Promise<LiveEvent | null>;
};

export type FiguredSite = Pick<Site, 'id' | 'timeZone' | 'createdAt' | 'state' | 'visibility'>;

/** Figures that an area adds to the list of sites, of all its sites at once. If it fails, the figures of other areas are still shown. */
export type SiteFigureSource = {
  readonly source: FigureSource;
  /** The permission that a reader needs on a site, and the scope that an API token needs. */
  readonly action: SiteAction;
  readonly token: TokenScope;
  /** Figures by id of the site. Sites may be absent. */
  readonly read: (ctx: Context, sites: readonly FiguredSite[]) => Promise<ReadonlyMap<string, Partial<Omit<SiteFigures, 'siteId'>>>>;
};

/** The manifest of an area: everything it adds to the program. `server/areas/index.ts` lists all manifests. */
export type Area = {
  /** Registers the area's routes. `areas`: all manifests, for operations that involve every area, such as deleting a person. */
  readonly register: (app: FastifyInstance, ctx: Context, areas: readonly Area[]) => void;
  /** Long-running jobs with progress. */
  readonly jobs?: readonly JobHandler[];
  /** Recurring tasks of the worker. */
  readonly schedules?: readonly Schedule[];
  /** Services that run alongside the worker until closed. */
  readonly services?: readonly ((ctx: Context) => { readonly close: () => Promise<void> })[];
  readonly siteTopics?: readonly SiteTopic[];
  readonly siteFigures?: SiteFigureSource;
  /**
   * By kind of resource: the id of the site that a resource belongs to, null if the resource does not exist. Endpoints with `access: { resource: 'crawl', … }`
   * name the resource by `:crawlId` in their path.
   */
  readonly siteOf?: Readonly<Record<string, (ctx: Context, id: string) => Promise<string | null>>>;
  /** Erases data that foreign keys do not delete together with the site's row, in the transaction that deletes that row, before it does. */
  readonly eraseSite?: (tx: Transaction, siteId: string) => Promise<void>;
  /** Erases what gives access to a person's account or concerns only that person, in the transaction that deletes the person. */
  readonly erasePerson?: (tx: PersonTransaction, userId: string, now: Date) => Promise<void>;
  /**
   * Everything the area stores about a person, for their download: sections by name, unique across areas. Dates are UTC; no credentials: no hashes, keys or
   * secrets.
   */
  readonly exportPerson?: (db: NodePgDatabase, userId: string, now: Date) => Promise<Readonly<Record<string, unknown>>>;
};
