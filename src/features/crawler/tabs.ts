/** Tabs of a crawler's page. */
export const tabIds = ['issues', 'pages', 'links', 'compare', 'rows', 'families', 'runs', 'exports', 'settings'] as const;
export type CrawlerTab = (typeof tabIds)[number];
