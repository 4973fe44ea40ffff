import { isDeepStrictEqual } from 'node:util';
import { defaultBucketEnds } from '../../../contract/measuring/buckets';
import type { BucketEnds } from '../../../contract/measuring/buckets';
import type { BotRule, BotRules, RuleCondition } from '../../../contract/measuring/schemas';
import { normalizePath } from '../../../contract/paths';
import { botReasonIds, botReasonPoints, completeMeasuring } from '../../../contract/measuring/schemas';
import type { Context } from '../../context';
import { findSettings, settingsOf } from './queries';

/** The values a rule may test, as SQL over a row of `visits`. These are the only identifiers that a rule can name. */
const expressions: Readonly<Record<RuleCondition['field'], string>> = {
  isp: 'toString(isp)',
  country: 'toString(country)',
  province: 'toString(province)',
  city: 'toString(city)',
  browser: 'toString(browser)',
  os: 'toString(os)',
  device: 'toString(device_type)',
  language: 'toString(lang)',
  screen: "if(screen_w = 0, '', concat(toString(screen_w), 'x', toString(screen_h)))",
  source: 'toString(source_type)',
  referrer: 'toString(ref_host)',
  entry: 'entry_path',
  campaign: 'toString(utm_campaign)',
  address: 'toString(ip_masked)',
  views: 'length(view_id)',
  seconds: 'intDiv(toUnixTimestamp64Milli(last) - toUnixTimestamp64Milli(start), 1000)',
};

/** A text as an SQL literal that cannot be interpreted as anything but a value: its bytes in hexadecimal. */
const literal = (text: string): string => `unhex('${Buffer.from(text, 'utf8').toString('hex')}')`;
const list = (values: readonly string[]): string => `[${values.map(literal).join(', ')}]`;

function conditionSql({ field, op, values: operands }: RuleCondition): string {
  const values = field === 'entry' ? operands.map(normalizePath) : operands;
  const expression = expressions[field];
  switch (op) {
    case 'is':
      return `has(${list(values)}, ${expression})`;
    case 'not':
      return `NOT has(${list(values)}, ${expression})`;
    case 'contains':
      return `multiSearchAnyCaseInsensitiveUTF8(${expression}, ${list(values)})`;
    case 'excludes':
      return `NOT multiSearchAnyCaseInsensitiveUTF8(${expression}, ${list(values)})`;
    case 'atMost':
      return `${expression} <= ${count(values)}`;
    case 'atLeast':
      return `${expression} >= ${count(values)}`;
  }
}

/** Validated by the contract; any other stored value counts as 0. */
const count = (values: readonly string[]): number => {
  const value = Number(values[0]);
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
};

/** The score that represents a verdict: human up to 49, suspected up to 89. */
const scoreOfVerdict = { human: 0, suspected: 70, bot: 100 } as const;

const ruleSql = (rule: BotRule): string => `(${rule.when.map(conditionSql).join(' AND ')})`;
const active = (rules: readonly BotRule[]): { readonly rule: BotRule; readonly index: number }[] =>
  rules.flatMap((rule, index) => (rule.on ? [{ rule, index }] : []));

/** Whether points are the defaults that the collector itself uses. */
const usual = (points: BotRules['points']): boolean => botReasonIds.every((id) => points[id] === botReasonPoints[id]);

/**
 * SQL of the bot score (0…100) of a visit under a site's own rules; undefined if they change nothing. The first matching rule decides; otherwise the points of
 * the visit's signals are added up.
 */
export function scoreSql({ points, rules }: BotRules): string | undefined {
  const own = active(rules);
  const same = usual(points);
  if (own.length === 0 && same) return undefined;
  const ids = botReasonIds.map((id) => `'${id}'`).join(', ');
  const sum = same
    ? 'toInt64(bot_score)'
    : `least(toInt64(100), toInt64(arraySum(one_reason -> transform(toString(one_reason), [${ids}], [${botReasonIds.map((id) => Math.trunc(points[id])).join(', ')}], 0), bot_reasons)))`;
  return own.length === 0 ? sum : `multiIf(${own.map(({ rule }) => `${ruleSql(rule)}, toInt64(${scoreOfVerdict[rule.verdict]})`).join(', ')}, ${sum})`;
}

/** SQL of the number of the deciding rule, from 1; 0 if none matches. */
export function decidingRuleSql({ rules }: BotRules): string {
  const own = active(rules);
  return own.length === 0 ? 'toInt64(0)' : `multiIf(${own.map(({ rule, index }) => `${ruleSql(rule)}, toInt64(${index + 1})`).join(', ')}, toInt64(0))`;
}

/** `score` and `buckets` are absent if the site uses the defaults. */
type Reading = { readonly score?: string; readonly buckets?: BucketEnds; readonly cityFloor: number | null };
/** A site's settings for reading: the score under its own rules, the buckets, and the minimum number of visitors per city. */
export async function readingOf(ctx: Pick<Context, 'postgres'>, siteId: string): Promise<Reading> {
  const { bots, buckets, cityFloor } = completeMeasuring((await findSettings(ctx.postgres.db, siteId))?.settings);
  const score = scoreSql(bots);
  return { ...(score === undefined ? {} : { score }), ...(isDeepStrictEqual(buckets, defaultBucketEnds) ? {} : { buckets }), cityFloor };
}

/** SQL of the bot scores of the sites, of those given, that have rules of their own. */
export async function scoresOf(ctx: Pick<Context, 'postgres'>, siteIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await settingsOf(ctx.postgres.db, siteIds);
  return new Map(
    rows.flatMap(({ siteId, settings }) => {
      const score = scoreSql(completeMeasuring(settings).bots);
      return score === undefined ? [] : [[siteId, score] as const];
    }),
  );
}
