import { recordThemeFailure } from '../areas/publishing';
import type { Context } from '../context';
import { openRenderPool } from '../kit/templates/renderPool';
import type { RenderPool, TemplateFailure } from '../kit/templates/renderPool';
import { openContentVersions } from './contentVersions';
import type { ContentVersions } from './contentVersions';
import { createPageCache } from './pageCache';
import type { PageCache } from './pageCache';
import { openFilingFooters } from './filingFooters';
import type { FilingFooters } from './filingFooters';
import { openPageCopies } from './pageCopies';
import type { PageCopies } from './pageCopies';
import { openCounters } from './counters';
import type { Counters } from './counters';
import { openProofs } from './proofs';
import type { Proofs } from './proofs';
import { openReleases } from './releases';
import type { Releases } from './releases';
import { openRobotsTexts } from './robotsTexts';
import type { RobotsTexts } from './robotsTexts';
import { openSupportOnPages } from './support/onPages';
import type { SupportOnPages } from './support/onPages';
import type { SiteCache } from './siteCache';
import { createDrawnCards } from './seo/drawnCards';
import type { DrawnCards } from './seo/drawnCards';

/** Bytes of the releases in memory. */
const releaseBytes = 128 * 1024 ** 2;

/** What the steps of the pipeline share. */
export type Services = {
  readonly ctx: Context;
  readonly releases: Releases;
  readonly versions: ContentVersions;
  readonly pages: PageCache;
  readonly copies: PageCopies;
  readonly proofs: Proofs;
  readonly filings: FilingFooters;
  readonly support: SiteCache<SupportOnPages>;
  readonly pool: RenderPool;
  readonly robots: RobotsTexts;
  readonly counters: Counters;
  readonly cards: DrawnCards;
  /** Remembers that a template failed, for people who edit the theme. `path`: of the page. */
  readonly reportFailure: (siteId: string, failure: TemplateFailure, path: string) => void;
  readonly close: () => Promise<void>;
};

/** The same error is written at most this often, in milliseconds; those in between are counted with the next one. */
const reportEvery = 60_000;
const mostReports = 2000;

function failureReporter(ctx: Context): Services['reportFailure'] {
  const reported = new Map<string, { readonly at: number; unwritten: number }>();
  return (siteId, failure, path) => {
    const key = JSON.stringify([siteId, failure.file, failure.line, failure.message]);
    const last = reported.get(key);
    if (last && ctx.now() - last.at < reportEvery) {
      last.unwritten += 1;
      return;
    }
    if (reported.size >= mostReports) reported.clear();
    reported.set(key, { at: ctx.now(), unwritten: 0 });
    recordThemeFailure(ctx, siteId, failure, path, (last?.unwritten ?? 0) + 1).catch((error: unknown) =>
      ctx.log.warn('A failure of a theme could not be recorded', { siteId, error }),
    );
  };
}

export function openServices(ctx: Context): Services {
  const releases = openReleases(ctx, releaseBytes);
  const versions = openContentVersions(ctx);
  const pool = openRenderPool();
  const copies = openPageCopies(ctx);
  const proofs = openProofs(ctx);
  const robots = openRobotsTexts(ctx);
  const counters = openCounters(ctx);
  const filings = openFilingFooters(ctx);
  const support = openSupportOnPages(ctx);
  return {
    ctx,
    releases,
    versions,
    pool,
    robots,
    counters,
    pages: createPageCache(ctx.config.pageCacheMaxBytes),
    copies,
    proofs,
    cards: createDrawnCards(ctx),
    filings,
    support,
    reportFailure: failureReporter(ctx),
    async close() {
      releases.close();
      versions.close();
      proofs.close();
      robots.close();
      filings.close();
      support.close();
      await pool.close();
      await copies.close();
      await counters.close();
    },
  };
}
