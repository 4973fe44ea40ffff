import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import { registerChoices } from './schema/choices/routes';
import { registerCare } from './maintenance';
import { registerConvert } from './schema/conversion';
import { registerDesign } from './schema/routes';
import { registerFormula } from './schema/formula/routes';
import { registerIndexes } from './schema/indexes';
import { registerLife } from './records';
import { registerOpen } from './content';
import { registerReading } from './core/read';
import { registerShares } from './sharing';
import { registerHooks } from './webhooks';
import { registerTransfer } from './transfer';
import { registerWriting } from './core/write';

export { sweepCalls } from './core/write';

export { bulkJob, emptyBins, forgetHistory, publishDue } from './records';
export { eraseTables, purgeJob, purgeTables } from './schema/purge';
export { rebuildJob, tendPending } from './schema/rebuild';
export { indexJob, tendIndexes } from './schema/indexes';
export { choiceJob } from './schema/choices/routes';
export { convertJob, tendConversions } from './schema/conversion';
export { csvRowsOf, importJob, ReadStop, tendTableImports } from './transfer';
export { checkJob, checkNightly, compactJob, emptyJob, restoreJob, tendRestores } from './maintenance';
export { hearableOf } from './records/presence';
export { startHookSender, sweepHooks } from './webhooks';

/** Content tables: each part registers its calls. */
export function register(app: FastifyInstance, ctx: Context): void {
  registerDesign(app, ctx);
  registerLife(app, ctx);
  registerReading(app, ctx);
  registerWriting(app, ctx);
  registerFormula(app, ctx);
  registerIndexes(app, ctx);
  registerConvert(app, ctx);
  registerChoices(app, ctx);
  registerTransfer(app, ctx);
  registerCare(app, ctx);
  registerOpen(app, ctx);
  registerHooks(app, ctx);
  registerShares(app, ctx);
}
