import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context';
import { registerViews } from './views';

/** The life of records, and views of them. */
export function registerLife(app: FastifyInstance, ctx: Context): void {
  registerViews(app, ctx);
}
