import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';

/** An open PostgreSQL, embedded or remote: the caller cannot tell which. */
export type Postgres = {
  readonly db: NodePgDatabase;
  readonly pool: Pool;
  /** Connections that only read, on which a statement ends after five seconds (SQLSTATE 57014). Rows come in the order of `UNION ALL`: nothing runs in parallel. */
  readonly reads: Pool;
  /** Runs `work` while holding a session advisory lock on a connection of its own. */
  readonly withLock: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Hears NOTIFY on a channel, reconnecting by itself. Returns the way to stop. */
  readonly listen: (channel: string, onPayload: (payload: string) => void) => Promise<() => Promise<void>>;
  /** Sends payloads in their order; of two that are the same, one. */
  readonly notify: (channel: string, ...payloads: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
};
