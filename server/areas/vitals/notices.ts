import type { VitalBudget } from '../../../contract/vitals/schemas';
import type { VitalMetric } from '../../../contract/vitals/terms';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import type { NoticeMessage } from '../contacts';
import type { BudgetSite } from './budgetQueries';

type Messages = {
  readonly exceeded: { readonly subject: (site: string, metric: string) => string; readonly text: (value: string, most: string) => string };
  readonly within: { readonly subject: (site: string, metric: string) => string; readonly text: (value: string, most: string) => string };
  readonly label: Readonly<Record<'percentile' | 'pages' | 'device' | 'count', string>>;
  readonly device: Readonly<Record<VitalBudget['device'], string>>;
  readonly allPages: string;
  readonly action: string;
};

export const messages: Readonly<Record<Locale, Messages>> = {
  'zh-CN': {
    exceeded: {
      subject: (site, metric) => `${site} 的 ${metric} 超出预算`,
      text: (value, most) => `最近 7 天为 ${value}，预算为 ${most}。恢复到预算以内时会再次通知。`,
    },
    within: { subject: (site, metric) => `${site} 的 ${metric} 已回到预算以内`, text: (value, most) => `最近 7 天为 ${value}，预算为 ${most}。` },
    label: { percentile: '百分位', pages: '页面', device: '设备', count: '样本数' },
    device: { '': '全部', desktop: '电脑', mobile: '手机', tablet: '平板' },
    allPages: '全部',
    action: '查看网页指标',
  },
  en: {
    exceeded: {
      subject: (site, metric) => `${site}: ${metric} is over budget`,
      text: (value, most) => `It was ${value} over the last 7 days; the budget is ${most}. You will be notified when it is within budget again.`,
    },
    within: {
      subject: (site, metric) => `${site}: ${metric} is within budget again`,
      text: (value, most) => `It was ${value} over the last 7 days; the budget is ${most}.`,
    },
    label: { percentile: 'Percentile', pages: 'Pages', device: 'Devices', count: 'Values' },
    device: { '': 'All', desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet' },
    allPages: 'All',
    action: 'Open web vitals',
  },
};

const valueText = (metric: VitalMetric, value: number): string => (metric === 'cls' ? String(Math.round(value * 1000) / 1000) : `${Math.round(value)} ms`);

export const budgetNotice =
  (ctx: Pick<Context, 'config'>, site: BudgetSite, budget: Omit<VitalBudget, 'value'> & { readonly value: number | null }) =>
  (locale: Locale): NoticeMessage => {
    const { exceeded, within, label, device, allPages, action } = messages[locale];
    const { subject, text } = budget.state === 'exceeded' ? exceeded : within;
    return {
      subject: subject(site.name, budget.metric.toUpperCase()),
      paragraphs: [text(valueText(budget.metric, budget.value ?? 0), valueText(budget.metric, budget.most))],
      facts: [
        { label: label.percentile, value: `p${budget.percentile}` },
        { label: label.pages, value: budget.pathPattern === '' ? allPages : budget.pathPattern },
        { label: label.device, value: device[budget.device] },
        { label: label.count, value: String(budget.count) },
      ],
      action: { label: action, url: `${ctx.config.publicUrl}/developer/webcv?site=${site.id}&metric=${budget.metric}` },
    };
  };
