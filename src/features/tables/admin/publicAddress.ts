/** The address at which anybody reads the published records of a table. */
export const publicAddress = (siteId: string, key: string): string => `${location.origin}/api/site/${siteId}/content/${key}`;
