import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Job } from '../../contract/jobs/schemas';
import { users } from '../areas/account/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * Long-running jobs. A worker holds a row while `lease_until` is in the future and `lease_by` is its own name; the lease of a dead worker expires, and the next
 * worker continues from `state_data`, the job's saved state. `site_id` has no foreign key: the row of a purge outlives its site.
 */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text().$type<Job['kind']>().notNull(),
    siteId: text('site_id'),
    label: text().notNull(),
    input: jsonb().notNull(),
    stateData: jsonb('state_data'),
    state: text().$type<Job['state']>().notNull().default('queued'),
    done: bigint({ mode: 'number' }).notNull().default(0),
    total: bigint({ mode: 'number' }),
    error: text(),
    cancellable: boolean().notNull().default(true),
    cancelAsked: boolean('cancel_asked').notNull().default(false),
    attempts: integer().notNull().default(0),
    leaseBy: text('lease_by'),
    leaseUntil: moment('lease_until'),
    runAfter: moment('run_after').notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  },
  (t) => [
    index('jobs_open_index')
      .on(t.runAfter)
      .where(sql`${t.state} in ('queued', 'running')`),
    index('jobs_site_index').on(t.siteId, t.createdAt),
    index('jobs_created_at_index').on(t.createdAt),
  ],
);

/** Recurring tasks; the process that advances `next_run` runs the task. */
export const schedules = pgTable('schedules', { name: text().primaryKey(), nextRun: moment('next_run').notNull(), lastRun: moment('last_run') });
