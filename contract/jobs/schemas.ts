import { z } from 'zod';
import { jobCalls } from './calls';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { rowId } from '../text';

export const jobKinds = [
  'demo.traffic',
  'demo.content',
  'site.purge',
  'site.starter',
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
  'tables.files',
  'resources.transcode',
  'tables.resources',
  'seo.push',
  'languages.translate',
  'languages.import',
  'languages.undo',
  'languages.purge',
  'countries.update',
  'crawler.rows',
  'crawler.run',
  'crawler.audit',
  'crawler.recheck',
  'siteImport.detect',
  'siteImport.run',
  'siteImport.undo',
  'siteImport.check',
  'siteImport.export',
] as const;
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

/** A job, as the job tray shows it. `done` and `total` are in units of the job's kind. */
export const Job = z.object({
  id: z.uuid(),
  kind: z.enum(jobKinds),
  siteId: SiteId.nullable(),
  /** Text for the tray, usually the site's name. */
  label: z.string(),
  state: z.enum(jobStates),
  done: z.int(),
  total: z.int().nullable(),
  /** Why the job failed, in the reader's language. */
  error: z.string().nullable(),
  cancellable: z.boolean(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Job = z.infer<typeof Job>;

const Params = z.object({ id: rowId });
export const jobEndpoints = {
  jobs: endpoint(jobCalls.jobs, {
    access: 'session',
    summary: 'Recent and running jobs that the caller may see',
    response: z.array(Job),
  }),
  cancelJob: endpoint(jobCalls.cancelJob, {
    access: 'session',
    summary: 'Ask a job to stop',
    params: Params,
    response: Job,
    errors: ['not_found', 'bad_transition'],
  }),
} as const;
