import type { DimensionId, Report } from '../../../contract/analytics/schemas';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { dimensionTable } from './dimensions';
import { keyName } from './keyNames';
import { makeReport } from './report';
import type { ParsedReportQuery, ReportSite } from './report';
import { scopeFor } from './scope';

/** A report without a console session: for mails, alerts and cards. Throws like `makeReport`. */
export async function reportFor(ctx: Context, site: ReportSite, query: ParsedReportQuery): Promise<Report> {
  const { id, timeZone } = site;
  return makeReport({ clickhouse: ctx.clickhouse }, { id, timeZone }, query, { now: ctx.now, scope: await scopeFor(ctx, { id, timeZone }, query, null) });
}

/** The display name of a row. */
export const rowName = (by: DimensionId, key: string, locale: Locale): string =>
  key === '' ? dimensionTable[by].unknown[locale === 'en' ? 'en' : 'zh'] : keyName(by, key, locale);
