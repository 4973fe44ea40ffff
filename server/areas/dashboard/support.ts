import type { SupportSummary } from '../../../contract/dashboard/schemas';
import type { Context } from '../../context';
import type { SiteAccess } from '../../http/access';

/** What the dashboard needs of customer service. `overdue`: visitors who have waited longer than the site promises. */
export type SupportState = SupportSummary & { readonly overdue: number; readonly enquiriesBetween: (start: number, end: number) => Promise<number> };

/** Customer service of a site; null: it is off. */
export const supportOf = (_ctx: Context, _site: SiteAccess): Promise<SupportState | null> => Promise.resolve(null);
