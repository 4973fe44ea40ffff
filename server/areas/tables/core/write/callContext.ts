import type { BatchDoor } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import type { SessionInfo } from '../../../../http/access';
import { readerOf } from '../access';
import type { Caller } from '../access';
import { siteModel, tableOf } from '../model';
import type { TableContext } from '../tableContext';

/** Where a call writes, and by whom. */
export async function contextOf(ctx: Context, call: Caller & { readonly params: { readonly table: string } }): Promise<TableContext> {
  const model = await siteModel(ctx, call.site.id, call.site.contentRevision);
  return { model, table: tableOf(model, call.params.table), reader: readerOf(call), timeZone: call.site.row.timeZone };
}
/** People write by hand, tokens by program. */
export const doorAt = (session: SessionInfo, door: BatchDoor): BatchDoor => (session.token ? 'api' : door);
