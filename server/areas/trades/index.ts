import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';

export function register(_app: FastifyInstance, _ctx: Context): void {}
