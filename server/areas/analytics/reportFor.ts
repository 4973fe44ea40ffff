import type { DimensionId, Report } from '../../../contract/analytics/schemas';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { dimensionTable } from './dimensions';
import { keyName } from './keyNames';
import { makeReport } from './report';
import type { ParsedReportQuery, ReportSite } from './report';
import { scopeFor } from './scope';
import type { Share } from './share';

/** A report without a console session: for mails, alerts and cards. Reports with the same `share` read common parts once. Throws like `makeReport`. */
export async function reportFor(ctx: Context, site: ReportSite, query: ParsedReportQuery, share?: Share): Promise<Report> {
  const { id, timeZone } = site;
  return makeReport({ clickhouse: ctx.clickhouse, ...(share ? { share } : {}) }, { id, timeZone }, query, {
    now: ctx.now,
    scope: await scopeFor(ctx, { id, timeZone }, query, null),
  });
}

/** The display name of a row. */
export const rowName = (by: DimensionId, key: string, locale: Locale): string =>
  key === '' ? dimensionTable[by].unknown[locale === 'en' ? 'en' : 'zh'] : keyName(by, key, locale);
