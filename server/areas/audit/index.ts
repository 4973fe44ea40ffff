import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../../contract/endpoint';
import type { ErrorCode } from '../../../contract/errors';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';

export { actorOf, difference, record, systemActor } from './record';
export type { Act, Actor } from './record';

export function register(_app: FastifyInstance, _ctx: Context): void {}

/** Writes a refusal down. */
export function recordDenial(_ctx: Context, _request: FastifyRequest, _session: SessionInfo, _endpoint: Endpoint, _code: ErrorCode): void {}
