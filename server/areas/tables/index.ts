import type { FastifyInstance } from 'fastify';
import type { LiveEvent } from '../../../contract/live/schemas';
import type { SiteRole } from '../../../contract/permissions';
import type { Context } from '../../context';
import type { Area } from '../area';
import { sweepCalls } from './core/write';
import { registerContent } from './content';
import { checkJob, checkNightly, compactJob, emptyJob, registerMaintenance, registerRestores, restoreJob, tendRestores } from './maintenance';
import { publishDue, registerPublications, sweepFailures } from './publishing';
import { bulkJob, emptyBins, filesJob, forgetHistory, hearableOf, registerRecords, resourcesJob } from './records';
import {
  choiceJob,
  convertJob,
  eraseTables,
  indexJob,
  purgeJob,
  purgeTables,
  rebuildJob,
  registerSchema,
  tendConversions,
  tendIndexes,
  tendPending,
} from './schema';
import { registerPublicLinks } from './publicLinks';
import { importJob, importExtras, registerTransfer, tendTableImports } from './transfer';
import { registerWebhooks, startWebhookSender, sweepWebhooks } from './webhooks';

export { csvRowsOf, ReadStop, rowXml, unusedByLiveRecords, workbook } from './transfer';
export { contentChangesSince, inWrite } from './core/write';
export type { WriteTx } from './core/write/types';
export { openSiteContent, translatedRecords } from './content';
export type { HasOneOf, PageLink, PageRecord, PageRequest, PageValue, SiteContent } from './content';
export { installTable } from './install';
export { followLanguages, purgeLanguage } from './schema';
export { roleNow } from './core/write/lookups';
export { Clashed } from './core/write/merge';
export {
  hasBatch,
  presentRecords,
  recordHashes,
  recordTexts,
  recordTitles,
  translatableTables,
  undoWebsite,
  writableFields,
  writeRecords,
  writeTexts,
  writeWebsite,
} from './records';
export type { TextReader, TranslatableTable, WritableField } from './records';
export { carriedRecords, carriedTables, installTables, openRecordBringer, removeImportedTables } from './maintenance';
export type { TableInstaller } from './maintenance';
export { idOf, newRecordId } from './core/ids';
export { plainOf, richOf } from './core/values/html';
export { slugOf } from './core/values/slug';
export type { Change, ChangeErrors } from './core/write/types';
export { isPassing, publishForRelease, releasingOf, undoForRelease, unreleasedRecords } from './publishing';
export type { Releasing } from './publishing';
export type { InstalledTable, Installer, TableContent } from './install';

/** Registers the calls of every part of content tables. */
function register(app: FastifyInstance, ctx: Context): void {
  registerSchema(app, ctx);
  registerRecords(app, ctx, { extras: importExtras });
  registerPublications(app, ctx);
  registerTransfer(app, ctx);
  registerMaintenance(app, ctx);
  registerRestores(app, ctx);
  registerContent(app, ctx);
  registerWebhooks(app, ctx);
  registerPublicLinks(app, ctx);
}

const tableEvents = ['records', 'tables', 'presence'] as const;
type TableEvent = Extract<LiveEvent, { type: (typeof tableEvents)[number] }>;
const isTableEvent = (event: LiveEvent): event is TableEvent => (tableEvents as readonly string[]).includes(event.type);

export const area: Area = {
  register,
  jobs: [bulkJob, choiceJob, importJob, indexJob, convertJob, purgeJob, rebuildJob, checkJob, compactJob, emptyJob, restoreJob, filesJob, resourcesJob],
  schedules: [
    { name: 'tables.due', every: 15_000, run: publishDue },
    { name: 'tables.purge', every: 6 * 3_600_000, run: purgeTables },
    { name: 'tables.indexes', every: 10 * 60_000, run: tendIndexes },
    { name: 'tables.conversions', every: 60_000, run: (ctx) => tendConversions(ctx) },
    { name: 'tables.imports', every: 60_000, run: tendTableImports },
    { name: 'tables.restores', every: 3_600_000, run: tendRestores },
    { name: 'tables.checks', every: 24 * 3_600_000, run: checkNightly },
    { name: 'tables.tend', every: 60_000, run: tendPending },
    { name: 'tables.hooks', every: 3_600_000, run: sweepWebhooks },
    { name: 'tables.calls', every: 3_600_000, run: sweepCalls },
    { name: 'tables.bins', every: 3_600_000, run: emptyBins },
    { name: 'tables.history', every: 24 * 3_600_000, run: forgetHistory },
    { name: 'tables.failures', every: 24 * 3_600_000, run: sweepFailures },
  ],
  services: [startWebhookSender],
  siteTopics: [
    {
      kind: 'table',
      action: 'tables.use',
      events: tableEvents,
      visibleTo: async (ctx: Context, role: SiteRole, event: LiveEvent) => (isTableEvent(event) ? hearableOf(ctx, role, event) : null),
    },
  ],
  eraseSite: eraseTables,
};
