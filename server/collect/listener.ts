import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { trustFunction } from '../http/address';
import { headerLimits, limitArrival } from '../http/slowRequests';
import type { ArrivalLimits } from '../http/slowRequests';
import { sendSlow, registerCollect } from './http';
import type { Collector } from './index';

/** The app of a process that only collects. It does not listen yet. */
export async function createCollectApp(ctx: Context, collector: Collector, arrival?: ArrivalLimits): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: trustFunction(ctx.config.trustedProxies),
    forceCloseConnections: true,
    return503OnClosing: true,
    http: headerLimits(arrival),
  });
  limitArrival(app, (_request, reply) => sendSlow(reply), arrival);
  await registerCollect(app, ctx, collector, '');
  return app;
}
