/** Those of what a run found; their content and names are in `inventory`. */
export const foundTabs = ['issues', 'pages', 'links', 'compare'] as const;
/** Tabs of a crawler’s page. */
export const tabIds = [...foundTabs, 'rows', 'families', 'runs', 'exports', 'settings'] as const;
export type CrawlerTab = (typeof tabIds)[number];
