import type { Context } from '../../../context';
import { deleteFailuresBefore } from './failures';

export { publishForRelease, releasingOf, undoForRelease, unreleasedRecords } from './release';
export type { Releasing } from './release';
export { registerPublications } from './routes';
export { isPassing, publishDue } from './schedule';

const retentionMs = 365 * 24 * 3_600_000;

/** Deletes failed publications of deleted tables after a year. */
export const sweepFailures = async (ctx: Context): Promise<void> => void (await deleteFailuresBefore(ctx.postgres.db, new Date(ctx.now() - retentionMs)));
