import { ReportQuery } from '../../../contract/analytics/schemas';
import type { DimensionId, MeasureId, Report } from '../../../contract/analytics/schemas';
import type { AlertRule } from '../../../contract/digests/schemas';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { addDays, dayAt, dayNumber } from '../../zone';
import type { Day } from '../../zone';
import { reportFor, rowName } from '../analytics';
import type { NoticeMessage } from '../contacts';
import type { DigestSite } from './queries';

export type DigestKind = 'weekly' | 'monthly';
/** Both days are included. */
export type Period = { readonly from: Day; readonly to: Day };

/** The Monday of a day's week. 1970-01-01, day 0, was a Thursday. */
const mondayOf = (day: Day): Day => addDays(day, -((dayNumber(day) + 3) % 7));
const firstOf = (day: Day): Day => `${day.slice(0, 8)}01`;

/** The day on which the last whole week or month became due in the site's zone, and that period. */
export function duePeriod(kind: DigestKind, today: Day): { readonly day: Day; readonly period: Period } {
  const day = kind === 'weekly' ? mondayOf(today) : firstOf(today);
  const to = addDays(day, -1);
  return { day, period: { from: kind === 'weekly' ? addDays(day, -7) : firstOf(to), to } };
}

const shownMeasures = ['visitors', 'visits', 'views', 'newVisitors', 'bounceRate', 'avgDuration', 'avgPages'] as const satisfies readonly MeasureId[];
const shownLists = ['sourceName', 'path', 'keyword'] as const satisfies readonly DimensionId[];
const rowsShown = 5;

type Messages = {
  readonly measures: Readonly<Record<(typeof shownMeasures)[number], string>>;
  readonly lists: Readonly<Record<(typeof shownLists)[number], string>>;
  readonly subject: (kind: DigestKind, site: string, visitors: string, change: string) => string;
  readonly intro: (kind: DigestKind, site: string, from: string, to: string) => string;
  readonly nothing: string;
  readonly nothingKnown: string;
  readonly action: string;
  readonly colon: string;
  readonly comma: string;
  readonly change: (text: string) => string;
  readonly alert: {
    readonly subject: (site: string, rule: AlertRule) => string;
    readonly text: (rule: AlertRule, when: string, value: string, usual: string, percent: string) => string;
    readonly silent: string;
  };
};

const rose = (rule: AlertRule): boolean => rule.direction === 'spike';
const messages: Readonly<Record<Locale, Messages>> = {
  'zh-CN': {
    measures: {
      visitors: '访客数',
      visits: '访问次数',
      views: '浏览量',
      newVisitors: '新访客',
      bounceRate: '跳出率',
      avgDuration: '平均访问时长',
      avgPages: '平均访问页数',
    },
    lists: { sourceName: '主要来源', path: '热门页面', keyword: '搜索词' },
    subject: (kind, site, visitors, change) => `${site} ${kind === 'weekly' ? '上周' : '上月'}访客 ${visitors}${change}`,
    intro: (kind, site, from, to) => `${site} ${from}至${to}的访问情况，括号内是与前一${kind === 'weekly' ? '周' : '个月'}相比的变化。`,
    nothing: '这段时间没有收到访问数据。如果网站正常开放，请检查统计代码是否还在页面上。',
    nothingKnown: '暂无',
    action: '查看完整报表',
    colon: '：',
    comma: '、',
    change: (text) => `（${text}）`,
    alert: {
      subject: (site, rule) => `${site} ${rose(rule) ? '流量突增' : '流量骤降'}`,
      text: (rule, when, value, usual, percent) =>
        `${when}的${messages['zh-CN'].measures[rule.measure]}为 ${value}，过去四周同一时段平均 ${usual}，${rose(rule) ? '高出' : '低了'} ${percent}。`,
      silent: '这段时间一次访问都没有收到，可能是网站打不开，也可能是统计代码被移除。',
    },
  },
  en: {
    measures: {
      visitors: 'Visitors',
      visits: 'Visits',
      views: 'Page views',
      newVisitors: 'New visitors',
      bounceRate: 'Bounce rate',
      avgDuration: 'Average visit duration',
      avgPages: 'Pages per visit',
    },
    lists: { sourceName: 'Top sources', path: 'Top pages', keyword: 'Search terms' },
    subject: (kind, site, visitors, change) => `${site}: ${visitors} visitors last ${kind === 'weekly' ? 'week' : 'month'}${change}`,
    intro: (kind, site, from, to) => `${site}, ${from} to ${to}; in brackets the change against the ${kind === 'weekly' ? 'week' : 'month'} before.`,
    nothing: 'No visits were recorded in this time. If the site was up, check that the tag is still on its pages.',
    nothingKnown: 'none',
    action: 'Open the full report',
    colon: ': ',
    comma: ', ',
    change: (text) => ` (${text})`,
    alert: {
      subject: (site, rule) => `${site}: traffic ${rose(rule) ? 'is unusually high' : 'has dropped'}`,
      text: (rule, when, value, usual, percent) =>
        `${messages.en.measures[rule.measure]} of ${when}: ${value}. The mean of the same time in the last four weeks is ${usual}, so that is ${percent} ${rose(rule) ? 'more' : 'less'}.`,
      silent: 'Nothing at all was recorded in this time: the site may be down, or the tag may have gone.',
    },
  },
};

const duration = (seconds: number): string => {
  const whole = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
};

function written(id: (typeof shownMeasures)[number], value: number | null, locale: Locale): string {
  if (value === null) return '–';
  if (id === 'bounceRate') return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value);
  if (id === 'avgDuration') return duration(value);
  return new Intl.NumberFormat(locale, { maximumFractionDigits: id === 'avgPages' ? 1 : 0 }).format(value);
}

const percent = (ratio: number, locale: Locale, signed: boolean): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: ratio >= 1 ? 0 : 1, ...(signed ? { signDisplay: 'exceptZero' } : {}) })
    .format(ratio)
    // As in the console: a minus sign, not a hyphen.
    .replace('-', '−');

/** The change of a figure, in brackets; '' if there is nothing to compare with. */
function difference(report: Report, id: MeasureId, locale: Locale): string {
  const now = report.totals[id];
  const before = report.compareTotals?.[id] ?? null;
  return now === null || before === null || before === 0 ? '' : messages[locale].change(percent(now / before - 1, locale, true));
}

const dayText = (day: Day, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: locale === 'en' ? 'medium' : 'long' }).format(new Date(`${day}T00:00:00Z`));

const linkTo = (ctx: Context, site: DigestSite, screen: string, { from, to }: Period): string =>
  `${ctx.config.publicUrl}/site/${site.id}/als/${screen}?from=${from}&to=${to}`;

/** The content of a digest: queried once, formatted per reader language. Throws ClickHouseAway. */
export async function digestNotice(
  ctx: Context,
  site: DigestSite,
  kind: DigestKind,
  period: Period,
): Promise<(locale: Locale) => NoticeMessage & { paragraphs: string[] }> {
  const before =
    kind === 'weekly'
      ? { compare: 'weekday' as const }
      : { compare: 'custom' as const, compareFrom: firstOf(addDays(period.from, -1)), compareTo: addDays(period.from, -1) };
  const query = { ...period, ...before };
  const totals = await reportFor(ctx, site, ReportQuery.parse(query));
  const lists = await Promise.all(
    shownLists.map(async (by) => {
      const own = by === 'keyword' ? { filter: ['keyword:not:'] } : {};
      const report = await reportFor(ctx, site, ReportQuery.parse({ ...period, ...own, by, sort: by === 'path' ? 'views' : 'visits', size: rowsShown }));
      return { by, rows: report.rows ?? [] };
    }),
  );
  return (locale) => {
    const w = messages[locale];
    const action = { label: w.action, url: linkTo(ctx, site, 'overview', period) };
    const empty = totals.totals.visits === 0;
    const facts = shownMeasures.map((id) => ({ label: w.measures[id], value: `${written(id, totals.totals[id], locale)}${difference(totals, id, locale)}` }));
    const tops = lists.map(({ by, rows }) => ({
      label: w.lists[by],
      value:
        rows
          .map(
            ({ key, values }) =>
              `${rowName(by, key, locale)} ${written(by === 'path' ? 'views' : 'visits', by === 'path' ? values.views : values.visits, locale)}`,
          )
          .join(w.comma) || w.nothingKnown,
    }));
    return {
      subject: w.subject(kind, site.name, written('visitors', totals.totals.visitors, locale), difference(totals, 'visitors', locale)),
      paragraphs: [w.intro(kind, site.name, dayText(period.from, locale), dayText(period.to, locale)), ...(empty ? [w.nothing] : [])],
      facts: empty ? facts : [...facts, ...tops],
      action,
    };
  };
}

export type Fired = {
  readonly rule: AlertRule;
  /** `2026-11-20T08:00` or `2026-11-20`, in the site's zone. */ readonly label: string;
  readonly value: number;
  readonly usual: number;
};

export function alertNotice(ctx: Context, site: DigestSite, { rule, label, value, usual }: Fired): (locale: Locale) => NoticeMessage {
  const day = label.slice(0, 10);
  return (locale) => {
    const w = messages[locale];
    const hour = rule.window === 'hour' ? ` ${label.slice(11)}–${String((Number(label.slice(11, 13)) + 1) % 24).padStart(2, '0')}:00` : '';
    const count = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
    const off = percent(Math.abs(value - usual) / usual, locale, false);
    return {
      subject: w.alert.subject(site.name, rule),
      paragraphs: [
        w.alert.text(rule, `${dayText(day, locale)}${hour}`, count.format(value), count.format(usual), off),
        ...(value === 0 ? [w.alert.silent] : []),
      ],
      action: { label: w.action, url: `${linkTo(ctx, site, 'trend', { from: day, to: day })}&show=${rule.measure}&compare=weekday` },
    };
  };
}

export const todayOf = (ctx: Context, site: DigestSite): Day => dayAt(ctx.now(), site.timeZone);
