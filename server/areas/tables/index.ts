import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import { registerDesign } from './design/routes';
import { registerFormula } from './formula';
import { registerIndexes } from './indexes';
import { registerLife } from './life';
import { registerOpen } from './open';
import { registerReading } from './read';
import { registerWriting } from './write';

export { sweepCalls } from './write';

export { bulkJob, emptyBins, forgetHistory, publishDue } from './life';
export { eraseTables, purgeJob, purgeTables } from './design/purge';
export { rebuildJob, tendPending } from './design/rebuild';
export { indexJob, tendIndexes } from './indexes';
export { hearableOf } from './life/presence';

/** Content tables: each part registers its calls. */
export function register(app: FastifyInstance, ctx: Context): void {
  registerDesign(app, ctx);
  registerLife(app, ctx);
  registerReading(app, ctx);
  registerWriting(app, ctx);
  registerFormula(app, ctx);
  registerIndexes(app, ctx);
  registerOpen(app, ctx);
}
