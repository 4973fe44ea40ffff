import type { AggregateResult } from '@contract/tables/records';

/** One group heading: the shared value, the first row and the number of rows; deeper levels follow it. */
export type GroupLine = {
  readonly id: string;
  readonly depth: number;
  readonly key: unknown;
  readonly first: number;
  readonly count: number;
  readonly values: AggregateResult['groups'][number]['values'] | null;
};

const idOf = (keys: readonly unknown[]): string => JSON.stringify(keys);

/**
 * Group headings in row order, from the groups that the server counted. `descending`: by level, as the rows are sorted. Only the deepest level has aggregates:
 * a median of medians would be wrong.
 */
export function groupLines(groups: AggregateResult['groups'], descending: readonly boolean[]): readonly GroupLine[] {
  const depth = descending.length;
  const lines: GroupLine[] = [];
  const walk = (some: AggregateResult['groups'], level: number, start: number, path: readonly unknown[]): void => {
    const parts = new Map<string, AggregateResult['groups'][number][]>();
    for (const group of some) {
      const name = JSON.stringify(group.keys[level] ?? null);
      parts.set(name, [...(parts.get(name) ?? []), group]);
    }
    let first = start;
    for (const part of descending[level] === true ? [...parts.values()].toReversed() : parts.values()) {
      const key = part[0]?.keys[level] ?? null;
      const count = part.reduce((sum, group) => sum + group.count, 0);
      const here = [...path, key];
      lines.push({ id: idOf(here), depth: level, key, first, count, values: level === depth - 1 ? (part[0]?.values ?? null) : null });
      if (level < depth - 1) walk(part, level + 1, first, here);
      first += count;
    }
  };
  if (depth > 0) walk(groups, 0, 0, []);
  return lines;
}

/** The values that the rows of a group share, from the outermost level. */
export const keysOf = (id: string): readonly unknown[] => {
  try {
    const value = JSON.parse(id) as unknown;
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
};
