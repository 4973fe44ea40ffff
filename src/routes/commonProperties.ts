const reader = { needs: { site: 'analytics.read' } } as const;
/** Common properties of all reports; the node's id identifies the report (`features/analytics/sections.ts`). */
export const report = {
  ...reader,
  load: () => import(/* webpackChunkName: "analytics" */ '@/features/analytics/ReportPage'),
  chunk: 'analytics',
  messages: ['analytics', 'chart'],
  skeleton: 'report',
} as const;
/** Reports below a path of their own, which only redirects. */
export const folder = { ...reader, keepQuery: true } as const;
/** Groups of reports: one entry in the rail each, whose reports are tabs of the page. */
export const inGroup = {
  summary: { group: 'data', level: 2, tabs: 'summary' },
  live: { group: 'data', level: 2, tabs: 'live' },
  source: { group: 'data', level: 2, tabs: 'source' },
  page: { group: 'data', level: 2, tabs: 'page' },
  audience: { group: 'data', level: 2, tabs: 'audience' },
  behavior: { group: 'data', level: 2, tabs: 'behavior' },
  conversion: { group: 'data', level: 2, tabs: 'conversion' },
  campaign: { group: 'data', level: 2, tabs: 'campaign' },
} as const;
export const inSettings = { group: 'manage', level: 2 } as const;
/** The tabs of a site's base settings, each at its own address. */
export const inBase = {
  load: () => import(/* webpackChunkName: "site-base" */ '@/features/publishing/BasePage'),
  chunk: 'site-base',
  messages: ['publishing', 'sites', 'resources', 'form', 'chart'],
  skeleton: 'form',
} as const;
/** The four screens of resources, one for each kind. */
export const resources = {
  load: () => import(/* webpackChunkName: "resources" */ '@/features/resources/ResourcesPage'),
  chunk: 'resources',
  messages: ['resources', 'form', 'chart'],
  skeleton: 'board',
  nav: { group: 'content', level: 2 },
} as const;
/** Common properties of goals, events and funnels, which have a page each. */
export const insight = { ...reader, messages: ['analytics', 'chart', 'insights', 'form'], skeleton: 'report' } as const;
/** The screen of translations. */
export const translations = {
  load: () => import(/* webpackChunkName: "translations" */ '@/features/languages/IntlPage'),
  chunk: 'translations',
  messages: ['translations', 'form', 'chart'],
  nav: { group: 'content', icon: 'language', shortcut: 'g i' },
} as const;
