import { analyticsMigrations } from './areas/analytics/schema';
import type { Migration } from './stores/clickhouse/migrate';

/** The ClickHouse schema of the whole program, area by area. PostgreSQL's is generated into stores/postgres/migrations. */
export const clickhouseMigrations: readonly Migration[] = [...analyticsMigrations];
