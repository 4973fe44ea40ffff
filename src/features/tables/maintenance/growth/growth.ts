import type { TableFacts } from '@contract/tables/maintenance';

/** Number of records on each of the last 30 days, computed from creations and removals: every day has a value, today is last. */
export function netByDay(growth: TableFacts['growth'], rows: number, today: Date, days = 30): number[] {
  const change = new Map(growth.map(({ day, created, removed }) => [day, created - removed]));
  const values: number[] = [];
  let count = rows;
  for (let back = 0; back < days; back++) {
    values.unshift(Math.max(0, count));
    count -= change.get(new Date(today.getTime() - back * 86_400_000).toLocaleDateString('sv-SE')) ?? 0;
  }
  return values;
}

/** Records created and removed in the last 30 days. */
export const growthTotals = (growth: TableFacts['growth']): { readonly created: number; readonly removed: number } => ({
  created: growth.reduce((sum, day) => sum + day.created, 0),
  removed: growth.reduce((sum, day) => sum + day.removed, 0),
});
