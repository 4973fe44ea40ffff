/** Tabs of a crawler's page. */
/** Those of what a run found; their content and names are in `inventory`. */
export const foundTabs = ['issues', 'pages', 'links', 'compare'] as const;
export const tabIds = ['runs', ...foundTabs, 'rows', 'families', 'exports', 'settings'] as const;
export type CrawlerTab = (typeof tabIds)[number];
