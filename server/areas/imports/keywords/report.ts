import type { ParsedKeywordQuery, KeywordReport } from '../../../../contract/imports/keywords';
import { comparisonOf, rangeOf } from '../../analytics';
import type { QueryContext } from '../../analytics';
import type { KeywordImport } from './stored';
import { effectiveParts, spanOf, within } from './periods';
import type { KeywordPart } from './periods';
import { keywordRows, keywordTotals } from './queries';

const nothing = { clicks: 0, impressions: 0, ctr: null, position: null };

/** A row of the report with the page that got most of its clicks; empty: none is known. */
export type KeywordRow = KeywordReport['rows'][number] & { readonly landing: string };
type Query = Omit<ParsedKeywordQuery, 'compareFrom' | 'compareTo'> &
  Pick<Partial<ParsedKeywordQuery>, 'compareFrom' | 'compareTo'> & { readonly landing?: string };

/** Report of the imported keywords of a range of days, with the page of each row. `landing`: only rows of this page. */
export async function keywordRowsOf(
  to: QueryContext,
  siteId: string,
  timeZone: string,
  imports: readonly KeywordImport[],
  query: Query,
): Promise<Omit<KeywordReport, 'rows'> & { readonly rows: readonly KeywordRow[] }> {
  const range = rangeOf(query.from, query.to, timeZone);
  const comparison = comparisonOf(range, query);
  const parts = effectiveParts(imports);
  const { inside, partial } = within(parts, range);
  const compared = comparison === null ? [] : within(parts, comparison).inside;
  const isRequested = ({ engine }: Pick<KeywordPart, 'engine'>): boolean => query.engine === undefined || engine === query.engine;
  const [now, before] = [inside.filter(isRequested), compared.filter(isRequested)];
  const question = { siteId, now, before, by: query.by, q: query.q, landing: query.landing ?? '' };
  const [totals, rows] =
    now.length === 0
      ? [null, []]
      : await Promise.all([
          keywordTotals(to, question),
          keywordRows(to, question, { sort: query.sort, dir: query.dir, offset: (query.page - 1) * query.size, size: query.size }),
        ]);
  const earlier = new Map(spanOf(compared).map(({ engine, days }) => [engine, days]));
  // An engine without data in the compared period is null there, not zero.
  const isCompared = ({ engine }: Pick<KeywordPart, 'engine'>): boolean => earlier.has(engine);
  return {
    from: range.from,
    to: range.to,
    compareFrom: comparison?.from ?? null,
    compareTo: comparison?.to ?? null,
    totals: totals?.now ?? nothing,
    compareTotals: totals !== null && now.every(isCompared) ? totals.before : null,
    rows: rows.map(({ key, engine, values, before: was, landing }) => ({ key, engine, values, compare: isCompared({ engine }) ? was : null, landing })),
    rowCount: totals?.rowCount ?? 0,
    coverage: spanOf(inside).map((span) => ({ ...span, compareDays: earlier.get(span.engine) ?? 0 })),
    partial: partial.map(({ engine, from, to: last }) => ({ engine, from, to: last })),
    imported: spanOf(parts).map(({ engine, from, to: last }) => ({ engine, from, to: last })),
    pages: totals?.pages ?? false,
  };
}

/** Report of the imported keywords of a range of days. */
export async function keywordReport(...args: Parameters<typeof keywordRowsOf>): Promise<KeywordReport> {
  const report = await keywordRowsOf(...args);
  return { ...report, rows: report.rows.map(({ key, engine, values, compare }) => ({ key, engine, values, compare })) };
}
