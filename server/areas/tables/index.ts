import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import { registerChoices } from './choices';
import { registerCare } from './care';
import { registerConvert } from './convert';
import { registerDesign } from './design/routes';
import { registerFormula } from './formula';
import { registerIndexes } from './indexes';
import { registerLife } from './life';
import { registerOpen } from './open';
import { registerReading } from './read';
import { registerShares } from './share';
import { registerHooks } from './webhooks';
import { registerTransfer } from './transfer';
import { registerWriting } from './write';

export { sweepCalls } from './write';

export { bulkJob, emptyBins, forgetHistory, publishDue } from './life';
export { eraseTables, purgeJob, purgeTables } from './design/purge';
export { rebuildJob, tendPending } from './design/rebuild';
export { indexJob, tendIndexes } from './indexes';
export { choiceJob } from './choices';
export { convertJob, tendConversions } from './convert';
export { csvRowsOf, importJob, ReadStop, tendTableImports } from './transfer';
export { checkJob, checkNightly, compactJob, emptyJob, restoreJob, tendRestores } from './care';
export { hearableOf } from './life/presence';
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
