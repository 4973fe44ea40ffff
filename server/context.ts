import type { Countries } from './collect/classify';
import type { Config } from './config';
import type { ClickHouse } from './stores/clickhouse/types';
import type { ImageProcess } from './kit/images/imageProcess';
import type { FileStore } from './stores/files/types';
import type { Postgres } from './stores/postgres/types';
import type { LiveBus } from './http/live';
import type { Log } from './log';
import type { Secrets } from './secrets';

/** What the composition root passes to every part. There is no other global state. */
export type Context = {
  readonly config: Config;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly files: FileStore;
  readonly images: ImageProcess;
  readonly live: LiveBus;
  readonly secrets: Secrets;
  readonly countries: Countries;
  readonly log: Log;
  /** Epoch milliseconds; overridden in tests. */
  readonly now: () => number;
};
