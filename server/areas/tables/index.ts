import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import { registerContent } from './content';
import { registerMaintenance } from './maintenance';
import { registerPublications } from './publishing';
import { registerRecords } from './records';
import { registerSchema } from './schema';
import { isShared, registerShares } from './sharing';
import { madeByImports, registerTransfer } from './transfer';
import { registerHooks } from './webhooks';

export { sweepCalls } from './core/write';

export { bulkJob, emptyBins, forgetHistory, hearableOf } from './records';
export { publishDue } from './publishing';
export { choiceJob, convertJob, eraseTables, indexJob, purgeJob, purgeTables, rebuildJob, tendConversions, tendIndexes, tendPending } from './schema';
export { csvRowsOf, importJob, ReadStop, tendTableImports } from './transfer';
export { checkJob, checkNightly, compactJob, emptyJob, restoreJob, tendRestores } from './maintenance';
export { startHookSender, sweepHooks } from './webhooks';

/** Content tables: each part registers its calls. */
export function register(app: FastifyInstance, ctx: Context): void {
  registerSchema(app, ctx);
  registerRecords(app, ctx, { isShared, besides: madeByImports });
  registerPublications(app, ctx);
  registerTransfer(app, ctx);
  registerMaintenance(app, ctx);
  registerContent(app, ctx);
  registerHooks(app, ctx);
  registerShares(app, ctx);
}
