import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { trustFunction } from '../http/address';
import { registerCollect } from './http';
import type { Collector } from './index';

/** The listener of a process that collects and does nothing else. Nothing listens yet. */
export async function createCollectApp(ctx: Context, collector: Collector): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: trustFunction(ctx.config.trustedProxies),
    forceCloseConnections: true,
    return503OnClosing: true,
  });
  await registerCollect(app, ctx, collector, '');
  return app;
}
