import { mayOnSite } from '../../../contract/permissions';
import type { Context } from '../../context';
import { Failure, fail } from '../../http/failure';
import { record, systemActor } from '../audit';
import { lockSite } from '../sites';
import { inWrite, isPassing, publishForRelease, roleNow } from '../tables';
import type { Releasing, WriteTx } from '../tables';
import { notifyAuthor } from './failureNotice';
import { withoutPurged } from './languages/purged';
import * as queries from './queries';
import type { ReleaseRow } from './queries';
import { goLive, targetOf } from './releases';
import type { ReleaseFailure } from './schema';

/** The author of a release as they are now. Throws `forbidden` if they may no longer publish the site. */
async function authorNow(w: WriteTx, { siteId, createdBy }: ReleaseRow): Promise<Releasing['reader']> {
  const role = createdBy === null ? null : await roleNow(w.tx, siteId, createdBy);
  return role === null || !mayOnSite(role, 'site.publish') ? fail('forbidden') : { role, userId: createdBy };
}

/** Publishes a scheduled release, unless it was cancelled meanwhile. */
async function publishScheduled(w: WriteTx, { id, siteId }: ReleaseRow): Promise<void> {
  const site = await lockSite(w.tx, siteId);
  const release = await queries.lockScheduled(w.tx, id);
  if (!site || !release) return;
  const reader = await authorNow(w, release);
  const { batchId, published } = await publishForRelease(w, { siteId, reader, timeZone: site.timeZone }, release.selected ?? []);
  const { parts, gone } = await withoutPurged(w.tx, site, release.parts);
  const stored = await queries.endSchedule(w.tx, id, { state: 'published', parts, batchId, records: published, publishedAt: w.now });
  if (stored) await goLive(w, site, stored, systemActor, gone);
}

/** Records that were refused: fields of errors are `records.<number>.<field>`. */
const failureOf = (error: unknown): ReleaseFailure => ({
  code: error instanceof Failure ? error.code : 'internal',
  records: error instanceof Failure ? new Set(Object.keys(error.fields ?? {}).map((name) => name.split('.')[1])).size : 0,
});

async function recordFailure(w: WriteTx, { id, siteId }: ReleaseRow, failure: ReleaseFailure): Promise<void> {
  const site = await lockSite(w.tx, siteId);
  const failed = await queries.endSchedule(w.tx, id, { state: 'failed', failure });
  if (!site || !failed) return;
  await record(w.ctx, w.tx, systemActor, {
    action: 'publishing.released',
    result: 'failed',
    siteId,
    target: targetOf(site),
    after: { number: failed.number, reason: failure.code },
  });
  await notifyAuthor(w, site, failed, failure);
  w.after(() => w.ctx.live.publish({ type: 'publishing', siteId }));
}

/**
 * Every few seconds: publishes releases whose time has come, each in one transaction, with the rights that their authors have now. One that cannot be published
 * fails with its reason and a notice to its author, in one transaction. Keeps no state outside the database, so that what was interrupted or missed is done at
 * the next start.
 */
export async function publishDueReleases(ctx: Context): Promise<void> {
  for (const release of await queries.dueReleases(ctx.postgres.db, new Date(ctx.now()))) {
    const { siteId, id } = release;
    try {
      await inWrite(ctx, null, (w) => publishScheduled(w, release));
    } catch (error) {
      ctx.log.warn('A scheduled release could not be published', { siteId, release: id, error });
      // What passes by itself, such as a locked record, is tried again in the next round.
      if (isPassing(error)) continue;
      await inWrite(ctx, null, (w) => recordFailure(w, release, failureOf(error))).catch((failed: unknown) =>
        // One that cannot even fail must not hold up those of other sites.
        ctx.log.error('The failure of a scheduled release could not be recorded', { siteId, release: id, error: failed }),
      );
    }
  }
}
