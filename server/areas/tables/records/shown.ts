import type { ContentRecord } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { inContext, recordsByIds } from '../core/read';
import type { TableContext } from '../core/tableContext';

/** A record that was just written, for who has written it. */
export async function shownRecord(ctx: Context, context: TableContext, id: string, names: 'key' | 'id'): Promise<ContentRecord> {
  // What was written stands: if a change of definitions came right behind it, it is shown by those.
  const { rows } = await inContext(ctx, context, (now) => recordsByIds(ctx, now, [id], { names }));
  return rows[0] ?? fail('not_found');
}
