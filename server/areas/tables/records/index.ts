import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context';
import { registerActs } from './acting';
import { registerComments } from './comments';
import { registerPaste } from './pasting';
import { registerPeople } from './people';
import { registerPresence } from './presence';
import { registerPublications } from '../publishing/routes';
import { registerViews } from './views';

export { bulkJob } from './bulkJob';
export { emptyBins, forgetHistory } from './retention';
export { publishDue } from '../publishing/schedule';

/** The life of records, and views of them. */
export function registerLife(app: FastifyInstance, ctx: Context): void {
  registerViews(app, ctx);
  registerComments(app, ctx);
  registerPresence(app, ctx);
  registerPeople(app, ctx);
  registerActs(app, ctx);
  registerPaste(app, ctx);
  registerPublications(app, ctx);
}
