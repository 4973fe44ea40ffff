export type Directories = ReadonlySet<string>;

/** All directories that contain `path`, including itself but not the root: `/a/b/` → `/a/`, `/a/b/`. */
const chain = (path: string): string[] => {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}/`);
};

/** Open directories from the address, one per line (no path contains a line break); the parents of an open one are open too. */
export const readOpen = (text: string | null): Directories =>
  new Set(
    (text ?? '')
      .split('\n')
      .filter((one) => /^\/.+\/$/s.test(one))
      .flatMap(chain),
  );

/** The address value after one directory was opened or closed: the deepest open ones, which imply their parents; null if none is open. */
export const writeOpen = (open: Directories, path: string, expanded: boolean): string | null => {
  const next = expanded ? [...new Set([...open, ...chain(path)])] : [...open].filter((one) => !one.startsWith(path));
  const deepest = next.filter((one) => !next.some((other) => other !== one && other.startsWith(one)));
  return deepest.length === 0 ? null : deepest.join('\n');
};

/** Name of a directory or page below `under`: `b/`, `page`; '' for the page that is the directory itself. */
export const nameIn = (under: string, path: string): string => (path.startsWith(under) ? path.slice(under.length) : path);
