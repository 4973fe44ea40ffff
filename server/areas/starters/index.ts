import { z } from 'zod';
import { starters } from '../../../contract/sites/starters';
import { defineJob } from '../../worker';
import type { Area } from '../area';
import { systemActor } from '../audit';
import { findSite } from '../sites';
import { copySite } from './copy';
import { installStarter } from './install';

const Input = z.object({ starter: z.enum(starters).nullable(), copyFrom: z.string().nullable(), userId: z.string(), locale: z.enum(['zh-CN', 'en']) });

export { blog as blogStarter } from './content/blog';
export type { StarterCollection, StarterContent, StarterPicture, Writing } from './content/types';
export { installContent } from './install';

/** Fills a site that was just created, which can be used meanwhile. */
const starterJob = defineJob('site.starter', async (job, ctx) => {
  const { starter, copyFrom, userId, locale } = Input.parse(job.input);
  const site = job.siteId === null ? null : await findSite(ctx, job.siteId);
  if (!site || site.state === 'deleted') return;
  const by = { site, userId, locale, actor: systemActor };
  const from = copyFrom === null ? null : await findSite(ctx, copyFrom);
  if (from && from.state !== 'deleted') await copySite(ctx, job, by, from);
  else if (starter !== null) await installStarter(ctx, job, by, starter);
});

export const area: Area = { register: () => undefined, jobs: [starterJob] };
