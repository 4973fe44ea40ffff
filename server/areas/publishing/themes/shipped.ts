import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ThemeManifest } from '../../../../contract/publishing/theme';
import type { ShippedTheme } from '../../../../contract/publishing/terms';

/** A file of a theme with its content. */
export type ThemeContent = { readonly sha256: string; readonly content: Buffer };
export type ShippedFiles = ReadonlyMap<string, ThemeContent>;

export const contentOf = (content: Buffer): ThemeContent => ({ sha256: createHash('sha256').update(content).digest('hex'), content });

/** `themes` next to main.js in the build. */
function folder(): string {
  const built = fileURLToPath(new URL('./themes', import.meta.url));
  return existsSync(path.join(built, 'company')) ? built : fileURLToPath(new URL('../../../../themes', import.meta.url));
}

async function readFolder(name: string): Promise<(readonly [string, ThemeContent])[]> {
  const root = path.join(folder(), name);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (file) => [path.relative(root, file).split(path.sep).join('/'), contentOf(await readFile(file))] as const));
}

/** Each theme gets a copy of the files in `themes/shared`, so that it depends on no other. A file of its own with the same path wins. */
async function readTheme(name: ShippedTheme): Promise<ShippedFiles> {
  const [shared, own] = await Promise.all([readFolder('shared'), readFolder(name)]);
  return new Map([...shared, ...own].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

const read = new Map<ShippedTheme, Promise<ShippedFiles>>();

/** Files of a theme that comes with this version of the program, by path. Read once. */
export function shippedTheme(name: ShippedTheme): Promise<ShippedFiles> {
  const known = read.get(name) ?? readTheme(name);
  read.set(name, known);
  return known;
}

export async function shippedManifest(name: ShippedTheme): Promise<ThemeManifest> {
  const file = (await shippedTheme(name)).get('theme.json');
  return ThemeManifest.parse(JSON.parse(String(file?.content)));
}
