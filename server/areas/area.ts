import type { FastifyInstance } from 'fastify';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { LiveEvent } from '../../contract/live/schemas';
import type { SiteAction, SiteRole } from '../../contract/permissions';
import type { Context } from '../context';
import type { JobHandler, Schedule } from '../worker';

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
  /** Registers the area's routes. */
  readonly register: (app: FastifyInstance, ctx: Context) => void;
  /** Long pieces of work that the worker does once each, with progress. */
  readonly jobs?: readonly JobHandler[];
  /** What the worker does again and again. */
  readonly schedules?: readonly Schedule[];
  /** What runs beside the worker until it is closed. */
  readonly services?: readonly ((ctx: Context) => { readonly close: () => Promise<void> })[];
  readonly siteTopics?: readonly SiteTopic[];
  /** Erases what does not go with the site's own row (by foreign keys), in the transaction that removes that row. */
  readonly eraseSite?: (tx: Transaction, siteId: string) => Promise<void>;
};
