import { sql } from 'drizzle-orm';
import type { Context } from '../../../../context';
import type { TableModel } from '../model';
import type { Used } from './filter';

/** Threshold for a slow query, ms. */
export const slowMs = 200;
/** Costs are buffered for this long, ms, so that no query waits for them to be written. */
const every = 10_000;
/** Maximum number of buffered shapes; further ones are dropped until the next flush. */
const mostShapes = 2000;

type Noted = { readonly tableId: string; readonly siteId: string; readonly shape: string; count: number; totalMs: number; worstMs: number };
type Notes = { readonly shapes: Map<string, Noted>; timer: NodeJS.Timeout | null };
const notesByPool = new WeakMap<object, Notes>();

export type Cost = { readonly ms: number; readonly slow: boolean };

/** Records the duration of a query, and whether a field index could have helped, for the index advisor. */
export function noteCost(ctx: Context, siteId: string, table: TableModel, filtered: readonly Used[], sorted: readonly Used[], ms: number): Cost {
  const ids = (used: readonly Used[]): string => [...new Set(used.map((one) => one.id))].toSorted().join(',');
  if (filtered.length + sorted.length > 0) note(ctx, { siteId, tableId: table.id, shape: `filter:${ids(filtered)}|sort:${ids(sorted)}`, ms });
  return { ms: Math.round(ms * 10) / 10, slow: ms > slowMs && [...filtered, ...sorted].some((one) => !one.indexed) };
}

function note(ctx: Context, { siteId, tableId, shape, ms }: { siteId: string; tableId: string; shape: string; ms: number }): void {
  let notes = notesByPool.get(ctx.postgres);
  if (!notes) notesByPool.set(ctx.postgres, (notes = { shapes: new Map(), timer: null }));
  const key = `${tableId} ${shape}`;
  const known = notes.shapes.get(key);
  if (known) {
    known.count += 1;
    known.totalMs += ms;
    known.worstMs = Math.max(known.worstMs, ms);
  } else if (notes.shapes.size < mostShapes && shape.length < 2000) notes.shapes.set(key, { tableId, siteId, shape, count: 1, totalMs: ms, worstMs: ms });
  notes.timer ??= setTimeout(() => void flushCosts(ctx), every).unref();
}

/** Writes buffered costs; on a timer and at shutdown. Costs that cannot be written are dropped: they are only a hint. */
export async function flushCosts(ctx: Context): Promise<void> {
  const notes = notesByPool.get(ctx.postgres);
  if (!notes) return;
  if (notes.timer) clearTimeout(notes.timer);
  notes.timer = null;
  const rows = [...notes.shapes.values()];
  notes.shapes.clear();
  if (rows.length === 0) return;
  const at = new Date(ctx.now()).toISOString();
  try {
    await ctx.postgres.db.execute(sql`
      INSERT INTO content_costs AS c (table_id, shape, site_id, count, total_ms, worst_ms, last_at)
      SELECT r.table_id, r.shape, r.site_id, r.count, r.total_ms, r.worst_ms, ${at}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify(rows.map((row) => ({ table_id: row.tableId, shape: row.shape, site_id: row.siteId, count: row.count, total_ms: row.totalMs, worst_ms: row.worstMs })))}::jsonb)
        AS r(table_id text, shape text, site_id text, count int, total_ms real, worst_ms real)
      JOIN content_tables t ON t.id = r.table_id
      ON CONFLICT (table_id, shape) DO UPDATE SET count = c.count + excluded.count, total_ms = c.total_ms + excluded.total_ms,
        worst_ms = greatest(c.worst_ms, excluded.worst_ms), last_at = excluded.last_at`);
  } catch (error) {
    ctx.log.warn('what questions cost could not be written', { error });
  }
}
