import type { FastifyInstance } from 'fastify';
import { pushEndpoints as endpoints } from '../../../../contract/seo/pushSchemas';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import type { Schedule } from '../../../worker';
import { DAY } from '../../../zone';
import { enqueueScans } from './due';
import { listLedger, pushNow } from './ledger';
import * as queries from './queries';
import { changePushSettings, pushStatus, testPush } from './settings';

export { openScan, skipScan, storeScan } from './due';
export type { ScannedPage } from './due';
export { findSettings as findPushSettings, pageChanges } from './queries';
export { startPushSender } from './sender';

/** Days for which the history of an address is stored. */
const historyDays = 90;

export function registerPush(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.pushSettings, ({ site }) => pushStatus(ctx, site));
  route(app, ctx, endpoints.changePushSettings, (call) => changePushSettings(ctx, call));
  route(app, ctx, endpoints.testPush, (call) => testPush(ctx, call));
  route(app, ctx, endpoints.pushLedger, (call) => listLedger(ctx, call));
  route(app, ctx, endpoints.pushNow, (call) => pushNow(ctx, call));
}

export const pushSchedules: readonly Schedule[] = [
  { name: 'seo.push', every: 15_000, run: enqueueScans },
  { name: 'seo.pushSweep', every: DAY, run: async (ctx) => void (await queries.sweepLedger(ctx.postgres.db, new Date(ctx.now() - historyDays * DAY))) },
];
