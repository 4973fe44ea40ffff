/** Bytes of parts that one page fetches ahead at most, as sent (gzip). With what runs behind the page, 150 kB come after it (`test/e2e/budgets.spec.ts`). */
const mostAhead = 140_000;

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string };

/** Whether the connection may carry what is perhaps never needed: it is neither metered nor slow. Browsers that do not describe it are assumed fast. */
export function allowsAhead(connection: Connection | undefined = (navigator as { connection?: Connection }).connection): boolean {
  return connection?.saveData !== true && !/[23]g$/.test(connection?.effectiveType ?? '');
}

/** Files that at least two parts, and half of them, need: worth having even if no part fits as a whole. */
export function sharedFiles(parts: readonly (readonly string[])[]): string[] {
  const needed = new Map<string, number>();
  for (const file of parts.flatMap((files) => [...new Set(files)])) needed.set(file, (needed.get(file) ?? 0) + 1);
  return [...needed].filter(([, count]) => count >= Math.max(2, parts.length / 2)).map(([file]) => file);
}

/** Chooses the files to fetch ahead, each once, within the bytes that a page may spend. */
export function makeAllowance(most: number = mostAhead) {
  const fetched = new Set<string>();
  let left = most;
  return {
    /** The files of a part that are still missing, or none if together they are too large: half a part is of no use. `sizes`: bytes by file. */
    take(files: readonly string[], sizes: Readonly<Record<string, number>>): readonly string[] {
      const missing = files.filter((file) => !fetched.has(file));
      const bytes = missing.reduce((sum, file) => sum + (sizes[file] ?? 0), 0);
      if (bytes > left) return [];
      left -= bytes;
      for (const file of missing) fetched.add(file);
      return missing;
    },
    /** The file did not arrive, so it may be fetched again. */
    forget: (file: string): void => void fetched.delete(file),
    /** Another page is shown, which may spend as much. */
    renew: (): void => {
      left = most;
    },
  };
}
