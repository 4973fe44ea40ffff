import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context';
import type { BatchExtras } from '../core/write/commands';
import { registerActs } from './acting';
import { registerComments } from './comments';
import { registerHistory } from './history';
import { registerPaste } from './pasteRoutes';
import { registerPeople } from './people';
import { registerPresence } from './presence';
import { registerReading } from './reading';
import { registerResourceUses } from './resourceUses';
import { registerUndo } from './undoRoutes';
import { registerViews } from './views';
import { registerWriting } from './writing';

export { bulkJob } from './bulkJob';
export { hasBatch, writableFields, writeRecords } from './extracted';
export type { WritableField } from './extracted';
export { hearableOf } from './presence';
export { purge } from './purge';
export { resourcesJob } from './replaceResources';
export { emptyBins, forgetHistory } from './retention';
export { allowedInBin } from './target';
export { filesJob } from './storeFiles';
export { recordHashes, recordTexts, recordTitles, translatableTables, writeTexts } from './translations';
export type { TextReader, TranslatableTable } from './translations';
export { createView } from './views';
export { presentRecords, undoWebsite, writeWebsite } from './website';

/** What other parts provide to the records part. */
export type RecordParts<Extra> = {
  /** Additional results of batches. */
  readonly extras: BatchExtras<Extra>;
};

export function registerRecords<Extra>(app: FastifyInstance, ctx: Context, { extras }: RecordParts<Extra>): void {
  registerReading(app, ctx);
  registerWriting(app, ctx);
  registerHistory(app, ctx);
  registerUndo(app, ctx, extras);
  registerActs(app, ctx);
  registerPaste(app, ctx);
  registerViews(app, ctx);
  registerComments(app, ctx);
  registerPresence(app, ctx);
  registerPeople(app, ctx);
  registerResourceUses(app, ctx);
}
