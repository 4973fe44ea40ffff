/**
 * Messages that load with a page, by namespace: one per feature folder, with the same name. Chinese is the source of the keys' type;
 * `namespaces.en.ts` has the same names. A page lists its namespaces in its node of `routes/config.ts` (`messages: ['sites']`); they load in parallel
 * with its code. Each language's list is part of the frame's messages in that language, so that nobody downloads the other list.
 */
export const namespaces = {
  account: () => import(/* webpackChunkName: "messages-account-zh" */ '@/features/account/messages.zh-CN'),
  contacts: () => import(/* webpackChunkName: "messages-contacts-zh" */ '@/features/contacts/messages.zh-CN'),
  security: () => import(/* webpackChunkName: "messages-account-zh" */ '@/features/account/security/messages.zh-CN'),
  session: () => import(/* webpackChunkName: "messages-core-zh" */ '@/features/session/messages.zh-CN'),
  trades: () => import(/* webpackChunkName: "messages-trades-zh" */ '@/features/trades/messages.zh-CN'),
  people: () => import(/* webpackChunkName: "messages-people-zh" */ '@/features/people/messages.zh-CN'),
  audit: () => import(/* webpackChunkName: "messages-people-zh" */ '@/features/people/audit/messages.zh-CN'),
  form: () => import(/* webpackChunkName: "messages-form-zh" */ '@/ui/form/messages.zh-CN'),
  sites: () => import(/* webpackChunkName: "messages-sites-zh" */ '@/features/sites/messages.zh-CN'),
  sharing: () => import(/* webpackChunkName: "messages-sharing-zh" */ '@/features/sharing/messages.zh-CN'),
  frame: () => import(/* webpackChunkName: "messages-core-zh" */ '@/routes/shell/frame/messages.zh-CN'),
  chart: () => import(/* webpackChunkName: "messages-core-zh" */ '@/ui/chart/messages.zh-CN'),
  analytics: () => import(/* webpackChunkName: "messages-analytics-zh" */ '@/features/analytics/messages.zh-CN'),
  insights: () => import(/* webpackChunkName: "messages-insights-zh" */ '@/features/analytics/insights/messages.zh-CN'),
  measuring: () => import(/* webpackChunkName: "messages-measuring-zh" */ '@/features/measuring/messages.zh-CN'),
  translations: () => import(/* webpackChunkName: "messages-translations-zh" */ '@/features/languages/messages.zh-CN'),
  hostnames: () => import(/* webpackChunkName: "messages-hostnames-zh" */ '@/features/hostnames/messages.zh-CN'),
  imports: () => import(/* webpackChunkName: "messages-imports-zh" */ '@/features/imports/messages.zh-CN'),
  tables: () => import(/* webpackChunkName: "messages-tables-zh" */ '@/features/tables/messages.zh-CN'),
  publishing: () => import(/* webpackChunkName: "messages-publishing-zh" */ '@/features/publishing/messages.zh-CN'),
  resources: () => import(/* webpackChunkName: "messages-resources-zh" */ '@/features/resources/messages.zh-CN'),
  dashboard: () => import(/* webpackChunkName: "messages-dashboard-zh" */ '@/features/dashboard/messages.zh-CN'),
  uptime: () => import(/* webpackChunkName: "messages-uptime-zh" */ '@/features/uptime/messages.zh-CN'),
  tableFields: () => import(/* webpackChunkName: "messages-tables-zh" */ '@/features/tables/fieldTypes/messages.zh-CN'),
  tableRecord: () => import(/* webpackChunkName: "messages-tables-zh" */ '@/features/tables/record/messages.zh-CN'),
  tableSchemas: () => import(/* webpackChunkName: "messages-table-schemas-zh" */ '@/features/tables/schema/messages.zh-CN'),
  tableDesign: () => import(/* webpackChunkName: "messages-table-design-zh" */ '@/features/tables/parts/messages.zh-CN'),
  tableGrid: () => import(/* webpackChunkName: "messages-tables-zh" */ '@/features/tables/grid/messages.zh-CN'),
  tableAdmin: () => import(/* webpackChunkName: "messages-table-admin-zh" */ '@/features/tables/maintenance/messages.zh-CN'),
  tableHooks: () => import(/* webpackChunkName: "messages-table-admin-zh" */ '@/features/tables/webhooks/messages.zh-CN'),
  tableTransfer: () => import(/* webpackChunkName: "messages-table-transfer-zh" */ '@/features/tables/transfer/messages.zh-CN'),
  tableConvert: () => import(/* webpackChunkName: "messages-table-design-zh" */ '@/features/tables/schema/conversion/messages.zh-CN'),
} as const;
