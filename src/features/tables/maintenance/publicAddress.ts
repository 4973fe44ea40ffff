import { pathOf } from '@contract/call';
import { tableAccessCalls } from '@contract/tables/calls';

/** Path of the public content API for a table's published records. */
export const publicPath = (siteId: string, key: string): string => pathOf(tableAccessCalls.contentList, { siteId, table: key });
export const publicAddress = (siteId: string, key: string): string => location.origin + publicPath(siteId, key);
