import { isIndexed } from '../../contract/sites/terms';
import { openScan, skipScan, storeScan } from '../areas/seo';
import { readIndexedSite } from '../areas/sites';
import { defineJob } from '../worker';
import { openContentVersions } from './contentVersions';
import type { Edition } from './edition';
import { originOf } from './origin';
import { hashPages } from './pageHashes';
import { noFooter } from './filingFooters';
import { openReleases } from './releases';
import { openPageContext } from './render';

/** Compares the pages of a site, as they are delivered, with what search engines know, and queues those that changed. Progress is in pages. */
export const pushJob = defineJob('seo.push', async (job, ctx) => {
  const { siteId } = job;
  if (siteId === null) throw new Error('the push has no site');
  const scan = await openScan(ctx, siteId);
  const site = await readIndexedSite(ctx, siteId);
  if (!scan || !site || !isIndexed(site)) return;
  const releases = openReleases(ctx, 0);
  const versions = openContentVersions(ctx);
  try {
    const release = await releases.live(siteId);
    if (!release) return;
    const edition: Edition = { site, release, root: '', origin: originOf(ctx, site), preview: false, filings: noFooter };
    if (release.settings.robots === 'closed') return await skipScan(ctx, siteId, scan);
    const hashes = await hashPages(
      { versions },
      release.languages,
      (language) => openPageContext({ ctx }, edition, language),
      (pages) => job.progress(pages, null),
    );
    const queued = await storeScan(ctx, siteId, scan, hashes);
    await job.progress(queued, queued);
  } finally {
    versions.close();
    releases.close();
  }
});
