import type { Context } from '../../context';
import type { ImportRow } from './queries';

/** The person's other windows read the import again. */
export const announce = (ctx: Context, { jobId }: Pick<ImportRow, 'jobId'>): void => {
  if (jobId !== null) ctx.live.publish({ type: 'job', jobId });
};
