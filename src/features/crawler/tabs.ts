/** Tabs of a crawler's page. */
export const tabIds = ['runs', 'rows', 'families', 'exports', 'settings'] as const;
export type CrawlerTab = (typeof tabIds)[number];
