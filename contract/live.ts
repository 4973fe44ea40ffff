import { z } from 'zod';
import { endpoint } from './endpoint';

/**
 * Live changes. One stream per browser (tabs share it); a topic the caller may not read is left out silently.
 * Topics: `sites` (site list changed), `user` (own profile or session), `people` (anybody’s, for who may read
 * people), `jobs`, `als:<siteId>` (visits changed).
 * Events carry ids, never data: the reader fetches what it may see.
 */
export const LiveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('site'), siteId: z.string(), change: z.enum(['added', 'changed', 'removed']) }),
  z.object({ type: z.literal('user'), userId: z.string() }),
  z.object({ type: z.literal('sessionEnded'), sessionId: z.string() }),
  z.object({ type: z.literal('job'), jobId: z.string() }),
  z.object({ type: z.literal('als'), siteId: z.string(), visitIds: z.array(z.string()).max(100), at: z.number() }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;

export const liveEndpoints = {
  stream: endpoint({
    id: 'stream',
    method: 'GET',
    path: '/api/core/stream',
    access: 'session',
    summary: 'Server-sent events about changes, by topic',
    query: z.object({ topic: z.union([z.string().max(60), z.array(z.string().max(60)).max(50)]).optional() }),
    kind: 'sse',
  }),
} as const;
