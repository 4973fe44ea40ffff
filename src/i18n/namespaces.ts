import type { UiLocale } from '@/lib/preferences';
import type nav from '@/routes/messages.zh-CN';
import type shell from '@/routes/shell/messages.zh-CN';
import type ui from '@/ui/messages.zh-CN';

type Load = () => Promise<{ readonly default: object }>;

/**
 * Words that come with a page, by namespace: one per feature folder, named like it. Chinese is the source of the keys' type.
 * A page names the namespaces it needs in its node of `routes/config.ts` (`messages: ['sites']`); they are loaded beside its code.
 */
export const namespaces = {
  account: {
    'zh-CN': () => import(/* webpackChunkName: "messages-account-zh" */ '@/features/account/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-account-en" */ '@/features/account/messages.en'),
  },
  contacts: {
    'zh-CN': () => import(/* webpackChunkName: "messages-contacts-zh" */ '@/features/contacts/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-contacts-en" */ '@/features/contacts/messages.en'),
  },
  security: {
    'zh-CN': () => import(/* webpackChunkName: "messages-account-zh" */ '@/features/account/security/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-account-en" */ '@/features/account/security/messages.en'),
  },
  session: {
    'zh-CN': () => import(/* webpackChunkName: "messages-form-zh" */ '@/features/session/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-form-en" */ '@/features/session/messages.en'),
  },
  trades: {
    'zh-CN': () => import(/* webpackChunkName: "messages-trades-zh" */ '@/features/trades/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-trades-en" */ '@/features/trades/messages.en'),
  },
  people: {
    'zh-CN': () => import(/* webpackChunkName: "messages-people-zh" */ '@/features/people/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-people-en" */ '@/features/people/messages.en'),
  },
  audit: {
    'zh-CN': () => import(/* webpackChunkName: "messages-people-zh" */ '@/features/people/audit/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-people-en" */ '@/features/people/audit/messages.en'),
  },
  form: {
    'zh-CN': () => import(/* webpackChunkName: "messages-form-zh" */ '@/ui/form/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-form-en" */ '@/ui/form/messages.en'),
  },
  sites: {
    'zh-CN': () => import(/* webpackChunkName: "messages-sites-zh" */ '@/features/sites/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-sites-en" */ '@/features/sites/messages.en'),
  },
  sharing: {
    'zh-CN': () => import(/* webpackChunkName: "messages-sharing-zh" */ '@/features/sharing/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-sharing-en" */ '@/features/sharing/messages.en'),
  },
  frame: {
    'zh-CN': () => import(/* webpackChunkName: "messages-frame-zh" */ '@/routes/shell/frame/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-frame-en" */ '@/routes/shell/frame/messages.en'),
  },
  chart: {
    'zh-CN': () => import(/* webpackChunkName: "messages-chart-zh" */ '@/ui/chart/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-chart-en" */ '@/ui/chart/messages.en'),
  },
  analytics: {
    'zh-CN': () => import(/* webpackChunkName: "messages-analytics-zh" */ '@/features/analytics/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-analytics-en" */ '@/features/analytics/messages.en'),
  },
  insights: {
    'zh-CN': () => import(/* webpackChunkName: "messages-insights-zh" */ '@/features/analytics/insights/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-insights-en" */ '@/features/analytics/insights/messages.en'),
  },
  measuring: {
    'zh-CN': () => import(/* webpackChunkName: "messages-measuring-zh" */ '@/features/measuring/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-measuring-en" */ '@/features/measuring/messages.en'),
  },
  imports: {
    'zh-CN': () => import(/* webpackChunkName: "messages-imports-zh" */ '@/features/imports/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-imports-en" */ '@/features/imports/messages.en'),
  },
  tables: {
    'zh-CN': () => import(/* webpackChunkName: "messages-tables-zh" */ '@/features/tables/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-tables-en" */ '@/features/tables/messages.en'),
  },
  dashboard: {
    'zh-CN': () => import(/* webpackChunkName: "messages-dashboard-zh" */ '@/features/dashboard/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-dashboard-en" */ '@/features/dashboard/messages.en'),
  },
  tableFields: {
    'zh-CN': () => import(/* webpackChunkName: "messages-tables-zh" */ '@/features/tables/fields/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-tables-en" */ '@/features/tables/fields/messages.en'),
  },
  tableRecord: {
    'zh-CN': () => import(/* webpackChunkName: "messages-tables-zh" */ '@/features/tables/record/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-tables-en" */ '@/features/tables/record/messages.en'),
  },
  tableSchemas: {
    'zh-CN': () => import(/* webpackChunkName: "messages-table-schemas-zh" */ '@/features/tables/schemas/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-table-schemas-en" */ '@/features/tables/schemas/messages.en'),
  },
  tableDesign: {
    'zh-CN': () => import(/* webpackChunkName: "messages-table-design-zh" */ '@/features/tables/parts/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-table-design-en" */ '@/features/tables/parts/messages.en'),
  },
  tableGrid: {
    'zh-CN': () => import(/* webpackChunkName: "messages-tables-zh" */ '@/features/tables/grid/messages.zh-CN'),
    en: () => import(/* webpackChunkName: "messages-tables-en" */ '@/features/tables/grid/messages.en'),
  },
} as const satisfies Record<string, Record<UiLocale, Load>>;

/** Words of the frame, in the first load. */
export type CoreMessages = { nav: typeof nav; shell: typeof shell; ui: typeof ui };
export type Namespace = keyof typeof namespaces;
type Words<N extends Namespace> = Awaited<ReturnType<(typeof namespaces)[N]['zh-CN']>>['default'];
export type Resources = CoreMessages & { [N in Namespace]: Words<N> };
