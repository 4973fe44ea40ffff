import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Whether a file can be run. A folder that may be entered has the same permission. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const foldersOfPath = (): readonly string[] => (process.env['PATH'] ?? '').split(path.delimiter);

/** The path of an installed program that has one of the names, the first if there are several; null: none. Whoever installs it need not restart this program. */
export function findProgram(names: readonly string[], folders: readonly string[] = foldersOfPath()): string | null {
  const absolute = folders.filter((folder) => path.isAbsolute(folder));
  return names.flatMap((name) => absolute.map((folder) => path.join(folder, name))).find(isExecutable) ?? null;
}
