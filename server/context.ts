import type { Config } from './config';
import type { ClickHouse } from './stores/clickhouse/types';
import type { Postgres } from './stores/postgres/types';
import type { LiveBus } from './http/live';
import type { Log } from './log';
import type { Secrets } from './secrets';

/** What the composition root hands to every part. Nothing else is global. */
export type Context = {
  readonly config: Config;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly live: LiveBus;
  readonly secrets: Secrets;
  readonly log: Log;
  /** Epoch milliseconds; tests pass their own. */
  readonly now: () => number;
};
