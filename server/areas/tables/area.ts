import type { LiveEvent } from '../../../contract/live/schemas';
import type { SiteRole } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { Area } from '../area';
import * as tables from '.';

const tableEvents = ['records', 'tables', 'presence'] as const;
type TableEvent = Extract<LiveEvent, { type: (typeof tableEvents)[number] }>;
const isTableEvent = (event: LiveEvent): event is TableEvent => (tableEvents as readonly string[]).includes(event.type);

export const area: Area = {
  register: tables.register,
  jobs: [
    tables.bulkJob,
    tables.choiceJob,
    tables.importJob,
    tables.indexJob,
    tables.convertJob,
    tables.purgeJob,
    tables.rebuildJob,
    tables.checkJob,
    tables.compactJob,
    tables.emptyJob,
    tables.restoreJob,
  ],
  schedules: [
    { name: 'tables.due', every: 15_000, run: tables.publishDue },
    { name: 'tables.purge', every: 6 * 3_600_000, run: tables.purgeTables },
    { name: 'tables.indexes', every: 10 * 60_000, run: tables.tendIndexes },
    { name: 'tables.conversions', every: 60_000, run: (ctx) => tables.tendConversions(ctx) },
    { name: 'tables.imports', every: 60_000, run: tables.tendTableImports },
    { name: 'tables.restores', every: 3_600_000, run: tables.tendRestores },
    { name: 'tables.checks', every: 24 * 3_600_000, run: tables.checkNightly },
    { name: 'tables.tend', every: 60_000, run: tables.tendPending },
    { name: 'tables.hooks', every: 3_600_000, run: tables.sweepHooks },
    { name: 'tables.calls', every: 3_600_000, run: tables.sweepCalls },
    { name: 'tables.bins', every: 3_600_000, run: tables.emptyBins },
    { name: 'tables.history', every: 24 * 3_600_000, run: tables.forgetHistory },
  ],
  services: [tables.startHookSender],
  siteTopics: [
    {
      kind: 'table',
      action: 'tables.use',
      events: tableEvents,
      visibleTo: async (ctx: Context, role: SiteRole, event: LiveEvent) => (isTableEvent(event) ? tables.hearableOf(ctx, role, event) : null),
    },
  ],
  eraseSite: tables.eraseTables,
};
