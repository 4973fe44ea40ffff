import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context';
import { registerActs } from './acting';
import { registerComments } from './comments';
import { registerHistory } from './history';
import { registerPaste } from './pasting';
import { registerPeople } from './people';
import { registerPresence } from './presence';
import { registerReading } from './reading';
import { registerUndoing } from './undoing';
import type { MadeBesides } from './undoing';
import { registerViews } from './views';
import type { IsShared } from './views';
import { registerWriting } from './writing';

export { bulkJob } from './bulkJob';
export { hearableOf } from './presence';
export { purge } from './purge';
export { emptyBins, forgetHistory } from './retention';
export { allowedInBin } from './target';

/** What records ask of other parts: which views people without an account look at, and what comes and goes with a batch besides records. */
export type Others<Made> = { readonly isShared: IsShared; readonly besides: MadeBesides<Made> };

/** What people do with records, and with views of them. */
export function registerRecords<Made>(app: FastifyInstance, ctx: Context, { isShared, besides }: Others<Made>): void {
  registerReading(app, ctx);
  registerWriting(app, ctx);
  registerHistory(app, ctx);
  registerUndoing(app, ctx, besides);
  registerActs(app, ctx);
  registerPaste(app, ctx);
  registerViews(app, ctx, isShared);
  registerComments(app, ctx);
  registerPresence(app, ctx);
  registerPeople(app, ctx);
}
