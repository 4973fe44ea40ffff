import { recordThemeFailure } from '../areas/publishing';
import type { Context } from '../context';
import { openRenderPool } from '../kit/templates/renderPool';
import type { RenderPool, TemplateFailure } from '../kit/templates/renderPool';
import { openContentVersions } from './contentVersions';
import type { ContentVersions } from './contentVersions';
import { createPageCache } from './pageCache';
import type { PageCache } from './pageCache';
import { openPageCopies } from './pageCopies';
import type { PageCopies } from './pageCopies';
import { openReleases } from './releases';
import type { Releases } from './releases';

/** Bytes of the releases in memory. */
const releaseBytes = 128 * 1024 ** 2;

/** What the steps of the pipeline share. */
export type Services = {
  readonly ctx: Context;
  readonly releases: Releases;
  readonly versions: ContentVersions;
  readonly pages: PageCache;
  readonly copies: PageCopies;
  readonly pool: RenderPool;
  /** Remembers that a template failed, for people who edit the theme. `path`: of the page. */
  readonly reportFailure: (siteId: string, failure: TemplateFailure, path: string) => void;
  readonly close: () => Promise<void>;
};

/** The same error is written at most this often, in milliseconds. */
const reportEvery = 60_000;
const mostReports = 2000;

function failureReporter(ctx: Context): Services['reportFailure'] {
  const reported = new Map<string, number>();
  return (siteId, failure, path) => {
    const key = JSON.stringify([siteId, failure.file, failure.line, failure.message]);
    if (ctx.now() - (reported.get(key) ?? -Infinity) < reportEvery) return;
    if (reported.size >= mostReports) reported.clear();
    reported.set(key, ctx.now());
    recordThemeFailure(ctx, siteId, failure, path).catch((error: unknown) => ctx.log.warn('A failure of a theme could not be recorded', { siteId, error }));
  };
}

export function openServices(ctx: Context): Services {
  const releases = openReleases(ctx, releaseBytes);
  const versions = openContentVersions(ctx);
  const pool = openRenderPool();
  const copies = openPageCopies(ctx);
  return {
    ctx,
    releases,
    versions,
    pool,
    pages: createPageCache(ctx.config.pageCacheMaxBytes),
    copies,
    reportFailure: failureReporter(ctx),
    async close() {
      releases.close();
      versions.close();
      await pool.close();
      await copies.close();
    },
  };
}
