import { z } from 'zod';
import { endpoint } from './endpoint';
import { SiteId } from './sites';
import { rowId } from './text';

export const jobKinds = [
  'demo.traffic',
  'site.purge',
  'analytics.rebuild',
  'analytics.erase',
  'analytics.import',
  'tables.convert',
  'tables.index',
  'tables.import',
  'tables.bulk',
  'tables.choice',
  'tables.purge',
  'tables.rebuild',
  'tables.check',
  'tables.compact',
  'tables.empty',
  'tables.restore',
] as const;
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

/** A long piece of work, as the tray shows it. `done` and `total` are in the job's own units. */
export const Job = z.object({
  id: z.uuid(),
  kind: z.enum(jobKinds),
  siteId: SiteId.nullable(),
  /** Free words for the tray: usually the site's name. */
  label: z.string(),
  state: z.enum(jobStates),
  done: z.int(),
  total: z.int().nullable(),
  /** Why it failed, in the reader's words. */
  error: z.string().nullable(),
  cancellable: z.boolean(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Job = z.infer<typeof Job>;

const Params = z.object({ id: rowId });
export const jobEndpoints = {
  jobs: endpoint({
    id: 'jobs',
    method: 'GET',
    path: '/api/core/jobs',
    access: 'session',
    summary: 'Recent and running jobs that the caller may see',
    answer: z.array(Job),
  }),
  cancelJob: endpoint({
    id: 'cancelJob',
    method: 'POST',
    path: '/api/core/jobs/:id/cancel',
    access: 'session',
    summary: 'Ask a job to stop',
    params: Params,
    answer: Job,
    errors: ['not_found', 'bad_transition'],
  }),
} as const;
