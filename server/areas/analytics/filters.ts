import { filterOps, pathDimensions, verdictBounds } from '../../../contract/analytics/schemas';
import { normalizePath } from '../../../contract/paths';
import type { DimensionId, FilterOp, Population } from '../../../contract/analytics/schemas';
import { isAxis, isBucketKey } from '../../../contract/measuring/buckets';
import { storedCities, storedProducts } from '../../../contract/places';
import { failField } from '../../http/failure';
import { bucketCondition } from './bucketSql';
import type { ShownCities } from './cities';
import { dimensionTable, isDimension } from './dimensions';
import { happened } from './events';
import type { GoalSql } from './events';

export type Filter = { readonly dimension: DimensionId; readonly op: FilterOp; readonly values: readonly string[] };

const MAX_VALUES = 50;

/** Splits at `|`; a backslash escapes the next character. */
export function splitValues(text: string): string[] {
  const values: string[] = [];
  let value = '';
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (char === '\\' && i + 1 < text.length) value += text[(i += 1)];
    else if (char === '|') {
      values.push(value);
      value = '';
    } else value += char;
  }
  return [...values, value];
}

/**
 * Parses `dimension:op:value|value`. Several values mean one of them (`is`, `contains`) or none of them (`not`, `excludes`); an empty value means unknown.
 * Throws `invalid_fields` for an unknown dimension or operator, or a value outside a closed list.
 */
export function parseFilter(text: string): Filter {
  const [dimension = '', op = ''] = text.split(':', 2);
  const written = splitValues(text.slice(dimension.length + op.length + 2));
  if (!isDimension(dimension) || !(filterOps as readonly string[]).includes(op)) return failField('filter', 'pattern');
  const values = [...new Set(pathDimensions.has(dimension) ? written.map(normalizePath) : written)];
  if (values.length > MAX_VALUES) return failField('filter', 'too_long');
  const asText = op === 'contains' || op === 'excludes';
  const known = dimensionTable[dimension].values;
  if (asText && values.includes('')) return failField('filter', 'required');
  const isKnown = (value: string): boolean => (isAxis(dimension) ? isBucketKey(dimension, value) : known?.includes(value) === true);
  if (!asText && known && !values.every((value) => value === '' || isKnown(value))) return failField('filter', 'out_of_range');
  return { dimension, op: op as FilterOp, values };
}

export type Compiled = {
  /** Conditions on a visit, joined by AND; `1` if there are none. */
  readonly visit: string;
  /** An array of 0/1 over the views of a visit that marks those matching every page filter; null without page filters. */
  readonly mask: string | null;
  readonly params: Readonly<Record<string, unknown>>;
};

/** Stored values whose display name contains one of these parts: “百” finds Baidu, “圳” Shenzhen. */
function namedBy(dimension: DimensionId, parts: readonly string[]): string[] {
  if (dimension === 'city') return parts.flatMap(storedCities);
  return dimension === 'sourceName' || dimension === 'browser' || dimension === 'isp' ? parts.flatMap(storedProducts) : [];
}

/** Partial matches ignore case. `alike`: condition for further values whose display names match. */
const condition = (expression: string, op: FilterOp, param: string, alike = '0'): string => {
  const list = `{${param}:Array(String)}`;
  switch (op) {
    // IN evaluates the set once per dictionary entry of the column, `has` once per visit.
    case 'is':
      return `${expression} IN ${list}`;
    case 'not':
      return `${expression} NOT IN ${list}`;
    case 'contains':
      return `(multiSearchAnyCaseInsensitiveUTF8(${expression}, ${list}) OR ${alike})`;
    case 'excludes':
      return `NOT (multiSearchAnyCaseInsensitiveUTF8(${expression}, ${list}) OR ${alike})`;
  }
};

/**
 * Compiles filters to SQL over `visits`. Expressions come from the table of dimensions, values are passed as parameters.
 *
 * For counts of visits, a filter by page (path, title, host) selects the visits with at least one page view that matches all page filters together, anywhere in
 * the visit; for page views and visitors, it selects only those page views. It never changes the visit itself: bounce flag, duration and number of pages remain
 * those of the whole visit. A filter by event or goal selects visits in which it happened at any time. `goals`: those of the site; `cities`: which cities are
 * hidden.
 */
export function compileFilters(filters: readonly Filter[], goals?: GoalSql, cities?: ShownCities): Compiled {
  const params: Record<string, unknown> = filters.some(({ dimension }) => dimension === 'goal') ? { ...goals?.params } : {};
  const visit: string[] = [];
  const view: { dimension: DimensionId; sql: string }[] = [];
  for (const [index, { dimension, op, values }] of filters.entries()) {
    const { level } = dimensionTable[dimension];
    const sql = dimension === 'city' && cities ? cities.row : dimensionTable[dimension].sql;
    params[`f${index}`] = values;
    if (isAxis(dimension) && (op === 'is' || op === 'not')) visit.push(bucketCondition(dimension, op, values));
    else if (level === 'visit') {
      const alike = op === 'contains' || op === 'excludes' ? namedBy(dimension, values) : [];
      if (alike.length > 0) params[`f${index}n`] = alike;
      visit.push(condition(sql, op, `f${index}`, alike.length > 0 ? `has({f${index}n:Array(String)}, ${sql})` : '0'));
    } else if (level === 'event') visit.push(happened(dimension, op, values, `{f${index}:Array(String)}`, goals));
    else view.push({ dimension, sql: condition(`toString(one_${dimension})`, op, `f${index}`) });
  }
  const columns = [...new Set(view.map((v) => v.dimension))];
  const mask =
    view.length === 0
      ? null
      : `arrayMap((${columns.map((id) => `one_${id}`).join(', ')}) -> ${view.map((v) => v.sql).join(' AND ')}, ${columns.map((id) => dimensionTable[id].sql).join(', ')})`;
  return { visit: visit.join(' AND ') || '1', mask, params };
}

/**
 * The visits that belong to a population. `score`: SQL of the bot score, 0…100; the stored one unless the site has its own rules. Visits known only from an
 * imported log (`origin = 'audit'`) belong to no population.
 */
export function populationSql(who: Population, score = 'bot_score'): string {
  const counted = "origin != 'audit'";
  switch (who) {
    case 'humans':
      return `${counted} AND ${score} < ${verdictBounds.suspected}`;
    case 'suspected':
      return `${counted} AND ${score} BETWEEN ${verdictBounds.suspected} AND ${verdictBounds.bot - 1}`;
    case 'bots':
      return `${counted} AND ${score} >= ${verdictBounds.bot}`;
    case 'all':
      return counted;
  }
}
