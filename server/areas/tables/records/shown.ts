import type { ContentRecord } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { onScene, recordsByIds } from '../core/read';
import type { Scene } from '../core/write/types';

/** A record that was just written, for who has written it. */
export async function shownRecord(ctx: Context, scene: Scene, id: string, names: 'key' | 'id'): Promise<ContentRecord> {
  // What was written stands: if a change of definitions came right behind it, it is shown by those.
  const { rows } = await onScene(ctx, scene, (now) => recordsByIds(ctx, now, [id], { names }));
  return rows[0] ?? fail('not_found');
}
