import type { Conflict } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import type { TableContext } from '../core/tableContext';
import type { Clash } from '../core/write/merge';
import { peopleNames, visibleValue } from '../core/write/past';
import { recordResponse } from './responses';

/** Both versions of a conflict, by the names that the writer used. */
export async function conflictOf(
  ctx: Context,
  context: TableContext,
  clash: Clash,
  values: Readonly<Record<string, unknown>>,
  names: 'key' | 'id',
): Promise<Conflict> {
  const record = await recordResponse(ctx, context, clash.id, names);
  const by = (await peopleNames(ctx.postgres.db, [clash.by])).get(clash.by ?? '') ?? null;
  const fields = Array.from(clash.keys, ([key, sides]) => {
    const field = context.table.byName.get(key.split('@')[0] ?? '');
    const name = Object.keys(values).find((one) => context.table.byName.get(one)?.id === field?.id) ?? key;
    return [name, { base: visibleValue(field, sides.base), theirs: visibleValue(field, sides.theirs), yours: visibleValue(field, sides.yours) }] as const;
  });
  return { revision: record.revision, record, fields: Object.fromEntries(fields), by };
}
