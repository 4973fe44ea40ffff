import type { KeywordMeasure, KeywordValues, KeywordEngine } from '../../../../contract/imports/keywords';
import { runQuery } from '../../analytics';
import type { QueryContext } from '../../analytics';
import type { KeywordPart } from './periods';

/** The counted and the compared parts. */
export type KeywordSelection = {
  readonly siteId: string;
  readonly now: readonly KeywordPart[];
  readonly before: readonly KeywordPart[];
  readonly by: 'query' | 'page';
  readonly q: string;
  /** Only rows of this page; empty: all. */
  readonly landing: string;
};
export type KeywordOrder = { readonly sort: 'key' | KeywordMeasure; readonly dir: 'asc' | 'desc'; readonly offset: number; readonly size: number };

type Sums = { clicks: number; impressions: number; weighted: number; placed: number };
type Side = { [K in keyof Sums as `${K}_${'now' | 'before'}`]: number };

const sideSql = (side: 'now' | 'before'): string => {
  const flag = `is_${side}`;
  return `toFloat64(sumIf(clicks, ${flag})) AS clicks_${side}, toFloat64(sumIf(impressions, ${flag})) AS impressions_${side},
    sumIf(position * impressions, ${flag} AND position > 0) AS weighted_${side}, toFloat64(sumIf(impressions, ${flag} AND position > 0)) AS placed_${side}`;
};
const flagSql = (name: string): string =>
  `arrayExists((n, f, t) -> import_id = n AND day BETWEEN toDate(f) AND toDate(t), {${name}Numbers:Array(UInt32)}, {${name}From:Array(String)}, {${name}To:Array(String)})`;

const columns = { query: 'query', page: 'page' } as const;
/** Rows of the requested parts, each flagged with its side. */
const rowsSql = (by: KeywordSelection['by']): string => `
  (SELECT *, ${flagSql('now')} AS is_now, ${flagSql('before')} AS is_before FROM imported_keywords FINAL
    WHERE site_id = {site:String} AND import_id IN {imports:Array(UInt32)}
      ${by === 'page' ? "AND page != ''" : ''} AND ({q:String} = '' OR positionCaseInsensitiveUTF8(${columns[by]}, {q:String}) > 0) AND ({landing:String} = '' OR page = {landing:String}))
  WHERE is_now OR is_before`;

const paramsOf = ({ siteId, now, before, q, landing }: KeywordSelection) => {
  const imports = [...new Map([...now, ...before].map((part) => [part.number, part.engine]))];
  const side = (name: string, parts: readonly KeywordPart[]) => ({
    [`${name}Numbers`]: parts.map(({ number }) => number),
    [`${name}From`]: parts.map(({ from }) => from),
    [`${name}To`]: parts.map(({ to }) => to),
  });
  return {
    site: siteId,
    q,
    landing,
    imports: imports.map(([number]) => number),
    engines: imports.map(([, engine]) => engine),
    ...side('now', now),
    ...side('before', before),
  };
};

const engineSql = "transform(import_id, {imports:Array(UInt32)}, {engines:Array(String)}, '')";

const valuesOf = (row: Side, side: 'now' | 'before'): KeywordValues => {
  const [clicks, impressions, weighted, placed] = [row[`clicks_${side}`], row[`impressions_${side}`], row[`weighted_${side}`], row[`placed_${side}`]];
  return { clicks, impressions, ctr: impressions === 0 ? null : clicks / impressions, position: placed === 0 ? null : weighted / placed };
};

export type KeywordTotals = { readonly now: KeywordValues; readonly before: KeywordValues; readonly rowCount: number; readonly pages: boolean };

export async function keywordTotals(to: QueryContext, question: KeywordSelection): Promise<KeywordTotals> {
  const [row] = await runQuery<Side & { rows: number; pages: number }>(
    to,
    `SELECT ${sideSql('now')}, ${sideSql('before')}, toFloat64(uniqExactIf((${columns[question.by]}, ${engineSql}), is_now)) AS rows,
       toFloat64(countIf(is_now AND page != '')) AS pages FROM ${rowsSql(question.by)}`,
    paramsOf(question),
  );
  if (row === undefined) throw new Error('ClickHouse returned no row');
  return { now: valuesOf(row, 'now'), before: valuesOf(row, 'before'), rowCount: row.rows, pages: row.pages > 0 };
}

const orders: Readonly<Record<KeywordOrder['sort'], string>> = {
  key: 'name',
  clicks: 'clicks_now',
  impressions: 'impressions_now',
  ctr: 'if(impressions_now = 0, NULL, clicks_now / impressions_now)',
  position: 'if(placed_now = 0, NULL, weighted_now / placed_now)',
};

/** `landing`: the page that got most of the clicks; empty: none is known. */
export type KeywordRowValues = {
  readonly key: string;
  readonly engine: KeywordEngine;
  readonly values: KeywordValues;
  readonly before: KeywordValues;
  readonly landing: string;
};

export async function keywordRows(to: QueryContext, question: KeywordSelection, { sort, dir, offset, size }: KeywordOrder): Promise<KeywordRowValues[]> {
  const rows = await runQuery<Side & { name: string; engine: KeywordEngine; landing: string }>(
    to,
    `SELECT ${columns[question.by]} AS name, ${engineSql} AS engine, ${sideSql('now')}, ${sideSql('before')},
       argMaxIf(page, (clicks, impressions), is_now AND page != '') AS landing FROM ${rowsSql(question.by)}
     GROUP BY name, engine HAVING countIf(is_now) > 0
     ORDER BY ${orders[sort]} ${dir === 'asc' ? 'ASC' : 'DESC'} NULLS LAST, clicks_now DESC, impressions_now DESC, name, engine LIMIT {size:UInt32} OFFSET {offset:UInt32}`,
    { ...paramsOf(question), size, offset },
  );
  return rows.map((row) => ({ key: row.name, engine: row.engine, values: valuesOf(row, 'now'), before: valuesOf(row, 'before'), landing: row.landing }));
}
