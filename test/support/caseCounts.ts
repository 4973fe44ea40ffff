/**
 * Counts the generated cases of a property that reached its expectations. A property with preconditions calls `count` after them and `expectAtLeast` at the
 * end, so that it cannot pass without having checked anything. Where expectations depend on the kind of case, each kind is counted by its name.
 */
export function caseCounts<Kind extends string = 'checked'>(...kinds: readonly Kind[]) {
  const counts = new Map<string, number>((kinds.length === 0 ? ['checked'] : kinds).map((kind) => [kind, 0]));
  return {
    count(kind: Kind | 'checked' = 'checked', cases = 1): void {
      counts.set(kind, (counts.get(kind) ?? 0) + cases);
    },
    /** Throws, with all counts, if any kind of case was reached fewer than `least` times. */
    expectAtLeast(least: number): void {
      if (Math.min(...counts.values()) >= least) return;
      const listed = [...counts].map(([kind, cases]) => `${kind} ${cases}`).join(', ');
      throw new Error(`The property reached too few of its cases (at least ${least} of each kind are expected): ${listed}`);
    },
  };
}
