import { pathOf } from '@contract/call';
import { tableAccessCalls } from '@contract/tables/calls';

/** Where anybody reads the published records of a table. */
export const publicPath = (siteId: string, key: string): string => pathOf(tableAccessCalls.contentList, { siteId, table: key });
export const publicAddress = (siteId: string, key: string): string => location.origin + publicPath(siteId, key);
