import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';

export function register(_app: FastifyInstance, _ctx: Context): void {}

export const readToken = (_ctx: Context, _request: FastifyRequest, _value: string): Promise<SessionInfo | null> => Promise.resolve(null);
