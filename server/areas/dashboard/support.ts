import type { SupportSummary } from '../../../contract/dashboard/schemas';
import type { Context } from '../../context';
import type { SiteAccess } from '../../http/access';
import { dayAt, dayStart } from '../../zone';
import { supportSummary } from '../support';

/** Customer service of a site. `summary`: null unless visitors write to this program. `overdue`: visitors who have waited too long. */
export type SupportState = { readonly isOn: boolean; readonly summary: (SupportSummary & { readonly overdue: number }) | null };

export async function supportOf(ctx: Context, { id, row: { timeZone } }: Pick<SiteAccess, 'id' | 'row'>): Promise<SupportState> {
  const { mode, summary } = await supportSummary(ctx, { id, timeZone }, dayStart(dayAt(ctx.now(), timeZone), timeZone));
  return { isOn: mode !== 'off', summary };
}
