import type { ContentRecord } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { inContext, recordsByIds } from '../core/read';
import type { TableContext } from '../core/tableContext';

/** A record as shown to the person who has just written it. */
export async function recordResponse(ctx: Context, context: TableContext, id: string, names: 'key' | 'id'): Promise<ContentRecord> {
  // The write is committed; if definitions changed right after it, the new ones apply.
  const { rows } = await inContext(ctx, context, (now) => recordsByIds(ctx, now, [id], { names }));
  return rows[0] ?? fail('not_found');
}
