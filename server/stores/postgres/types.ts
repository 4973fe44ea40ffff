import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';

/** An open PostgreSQL, embedded or remote, with no difference for the caller. */
export type Postgres = {
  readonly db: NodePgDatabase;
  readonly pool: Pool;
  /**
   * Read-only connections on which a statement is cancelled after five seconds (SQLSTATE 57014). Rows are returned in the order of `UNION ALL`, because nothing
   * runs in parallel.
   */
  readonly reads: Pool;
  /** Runs `work` while holding a session advisory lock on a separate connection. */
  readonly withLock: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Receives NOTIFY on a channel and reconnects automatically. Returns a function that unsubscribes. */
  readonly listen: (channel: string, onPayload: (payload: string) => void) => Promise<() => Promise<void>>;
  /** Sends payloads in order; duplicates are sent once. */
  readonly notify: (channel: string, ...payloads: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
};
