import { rollupMigrations } from './areas/analytics/rollup/schema';
import { analyticsMigrations } from './areas/analytics/schema';
import { blockedMigrations } from './areas/countryBlock/log';
import { crawlerMigrations } from './areas/crawler/schema';
import { importMigrations } from './areas/imports/schema';
import { requestMigrations } from './areas/publishing/requests';
import { vitalMigrations } from './areas/vitals/schema';
import type { Migration } from './stores/clickhouse/migrate';

/** The ClickHouse schema of the whole program, by area. The PostgreSQL schema is generated into stores/postgres/migrations. */
export const clickhouseMigrations: readonly Migration[] = [
  ...analyticsMigrations,
  ...rollupMigrations,
  ...importMigrations,
  ...requestMigrations,
  ...blockedMigrations,
  ...crawlerMigrations,
  ...vitalMigrations,
];
