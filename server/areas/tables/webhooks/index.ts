import { hookLimits } from '../../../../contract/tables/webhooks';
import type { Context } from '../../../context';
import * as queries from './queries';

export { registerHooks } from './routes';
export { startHookSender } from './sender';

/** Every hour: forgets deliveries that are a month old, and secrets that sign no more. */
export const sweepHooks = (ctx: Context): Promise<void> =>
  queries.sweep(ctx.postgres.db, new Date(ctx.now() - hookLimits.keepDays * 24 * 3_600_000), new Date(ctx.now()));
