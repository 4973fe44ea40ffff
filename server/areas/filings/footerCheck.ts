import { filingLimits } from '../../../contract/filings/terms';
import type { FooterState } from '../../../contract/filings/terms';
import type { Context } from '../../context';
import { ConnectRefused } from '../../net/publicAddress';
import { DAY, HOUR } from '../../zone';
import { fetchPage } from '../analytics';
import { hostsOf } from '../hostnames';
import { systemHostOf } from '../sites';
import { announce } from './changes';
import { concernsHost, isInFooter } from './footer';
import * as queries from './queries';
import type { CheckedSite, CheckRow, FilingRow } from './queries';
import { findFooter, readPageText } from './readFooter';
import type { PageText } from './readFooter';

/** Pages of a site that are read in one check. */
const mostPages = 10;

/** Home pages of a site: of each hostname that serves it, else of its system host; of pages elsewhere, the site's address. */
async function homePages(ctx: Context, site: CheckedSite): Promise<URL[]> {
  if (site.purpose !== 'built') return site.url === null ? [] : [new URL(site.url)];
  const served = (await hostsOf(ctx.postgres.db, site.id)).filter((one) => one.served);
  const system = systemHostOf(site, ctx.config);
  if (served.length === 0) return system === null ? [] : [new URL(system)];
  return served.slice(0, mostPages).map(({ host, tls }) => new URL(`${tls ? 'https' : 'http'}://${host}/`));
}

async function readPage(ctx: Context, url: URL): Promise<PageText | null> {
  try {
    return readPageText((await fetchPage(url, { allowNear: ctx.config.privateSites })).text);
  } catch (error) {
    if (!(error instanceof ConnectRefused)) throw error;
    return null;
  }
}

type Finding = Omit<CheckRow, 'since'>;

/** A failure to read a page never replaces what was found on it before. */
function unreachable(row: FilingRow, url: URL, before: readonly CheckRow[], at: Date): Finding {
  const known = before.find((one) => one.url === url.href);
  const state: FooterState = 'unreachable';
  return known ?? { filingId: row.id, url: url.href, state, detail: '', at };
}

/** Reads the home pages of a site and stores what they show of each number. */
export async function checkFooters(ctx: Context, siteId: string): Promise<void> {
  const { db } = ctx.postgres;
  const site = await queries.checkedSite(db, siteId);
  if (site === null) return;
  const rows = (await queries.filingsOf(db, [siteId])).map(({ row }) => row).filter(isInFooter);
  // Before the pages are read, so that a site whose pages hang does not keep the others waiting.
  await queries.scheduleChecks(db, siteId, new Date(ctx.now() + filingLimits.checkDays * DAY));
  const urls = (await homePages(ctx, site)).filter(({ hostname }) => rows.some(({ domains }) => concernsHost(domains, hostname)));
  const pages = await Promise.all(urls.map(async (url) => ({ url, page: await readPage(ctx, url) })));
  const before = await queries.checksOf(db, [siteId]);
  const at = new Date(ctx.now());
  for (const row of rows) {
    const found = pages
      .filter(({ url }) => concernsHost(row.domains, url.hostname))
      .map(({ url, page }): Finding => {
        if (page === null) return unreachable(row, url, before.get(row.id) ?? [], at);
        return { filingId: row.id, url: url.href, ...findFooter(page, row), at };
      });
    await db.transaction(async (tx) => {
      // It may have been removed meanwhile.
      if ((await queries.lockFiling(tx, siteId, row.id)) !== null) await queries.putChecks(tx, row.id, found);
    });
  }
  announce(ctx, siteId);
}

/** Sites that are checked in one run of the schedule. */
const mostSites = 50;

/** Checks the pages of all sites that are due: weekly, and soon after a change. */
export async function checkDueFooters(ctx: Context): Promise<void> {
  for (const siteId of await queries.sitesToCheck(ctx.postgres.db, new Date(ctx.now()), mostSites)) {
    try {
      await checkFooters(ctx, siteId);
    } catch (error) {
      ctx.log.warn('The pages of a site could not be checked for its filings', { siteId, error });
      await queries.scheduleChecks(ctx.postgres.db, siteId, new Date(ctx.now() + HOUR));
    }
  }
}
