import { webhookLimits } from '../../../../contract/tables/webhooks';
import type { Context } from '../../../context';
import * as queries from './queries';

export { registerWebhooks } from './routes';
export { startWebhookSender } from './sender';

/** Hourly: deletes deliveries that are a month old, and expired old secrets. */
export const sweepWebhooks = (ctx: Context): Promise<void> =>
  queries.sweep(ctx.postgres.db, new Date(ctx.now() - webhookLimits.keepDays * 24 * 3_600_000), new Date(ctx.now()));
