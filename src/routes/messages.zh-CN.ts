/** Titles of routes: navigation, breadcrumbs, document titles and the palette. */
export default {
  home: '站点',
  create: '添加站点',
  createEmpty: '新建站点',
  account: '账号',
  center: '个人中心',
  contacts: '联系人',
  site: '站点',
  dashboard: '仪表盘',
  als: '分析',
  overview: '概况',
  trend: '趋势',
  latest: '实时访问',
  events: '页面事件',
  group: { look: '看', make: '做', manage: '管', account: '账号' },
  alsGroup: { summary: '概况', source: '来源', visit: '访问', visitor: '访客' },
} as const;
