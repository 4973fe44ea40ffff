import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import type { Area } from '../area';
import { registerVerifications } from './verification';

export { readProofs } from './proofs';
export type { SiteProofs } from './proofs';

/** What search engines are told about a site. Every topic registers its own routes. */
function register(app: FastifyInstance, ctx: Context): void {
  registerVerifications(app, ctx);
}

export const area: Area = { register, siteTopics: [{ kind: 'seo', action: 'site.read', events: ['seo'] }] };
