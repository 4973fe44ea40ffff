import type { ThemeManifest } from '../../../../contract/publishing/theme';
import { isThemeText } from '../../../../contract/publishing/themePaths';
import { shippedThemes } from '../../../../contract/publishing/terms';
import type { ShippedTheme } from '../../../../contract/publishing/terms';
import type { Theme, ThemeFile, ThemeFileContent } from '../../../../contract/publishing/themeFiles';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { manifestOf, textOf } from './check';
import { findVersion } from './queries';
import { shippedManifest, shippedTheme } from './shipped';
import type { ShippedFiles } from './shipped';
import { currentTheme, readThemeFile } from './store';

/** A file as the editor shows it. A site without a theme of its own has the files of the default one, as they will be when it gets them. */
export type ViewedFile = { readonly path: string; readonly revision: number; readonly sha256: string; readonly bytes: number; readonly updatedAt: Date | null };
export type ThemeView = {
  /** Number of the latest change; 0 if the site has no theme of its own. */
  readonly revision: number;
  readonly base: ShippedTheme | null;
  readonly files: ReadonlyMap<string, ViewedFile>;
  /** Files of the shipped theme that it comes from; none for an imported one. */
  readonly shipped: ShippedFiles;
};

const asShipped = (base: string | null): ShippedTheme | null => shippedThemes.find((name) => name === base) ?? null;

export async function viewTheme(ctx: Context, siteId: string): Promise<ThemeView> {
  const { last, files } = await currentTheme(ctx, siteId);
  const base = last ? asShipped(last.base) : shippedThemes[0];
  const shipped: ShippedFiles = base ? await shippedTheme(base) : new Map();
  if (last) return { revision: last.number, base, files, shipped };
  const initial = [...shipped].map(([path, { sha256, content }]): [string, ViewedFile] => [
    path,
    { path, revision: 1, sha256, bytes: content.length, updatedAt: null },
  ]);
  return { revision: 0, base, files: new Map(initial), shipped };
}

/** A file, or an earlier version of it. Throws `not_found`. */
export async function findFile(ctx: Context, siteId: string, view: ThemeView, path: string, revision?: number): Promise<ViewedFile> {
  const file = view.files.get(path);
  if (revision === undefined || revision === file?.revision) return file ?? fail('not_found');
  const version = await findVersion(ctx.postgres.db, siteId, path, revision);
  return version && !version.removed ? version : fail('not_found');
}

/** A file in the contract's form. */
export function fileResponse({ base, shipped }: ThemeView, { path, revision, sha256, bytes, updatedAt }: ViewedFile): ThemeFile {
  const known = shipped.get(path);
  return {
    path,
    revision,
    sha256,
    bytes,
    text: isThemeText(path),
    shipped: base === null ? null : known === undefined ? 'added' : known.sha256 === sha256 ? 'same' : 'changed',
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}

export async function fileContentResponse(ctx: Context, siteId: string, view: ThemeView, file: ViewedFile): Promise<ThemeFileContent> {
  const content = isThemeText(file.path) ? textOf(await readThemeFile(ctx, siteId, file.sha256)) : null;
  return { ...fileResponse(view, file), content };
}

async function readManifest(ctx: Context, siteId: string, { files }: Pick<ThemeView, 'files'>): Promise<ThemeManifest | null> {
  const file = files.get('theme.json');
  return file ? manifestOf(await readThemeFile(ctx, siteId, file.sha256)) : null;
}
/** `theme.json` of the theme of a site; null if it is missing or invalid. */
export const currentManifest = async (ctx: Context, siteId: string): Promise<ThemeManifest | null> => readManifest(ctx, siteId, await viewTheme(ctx, siteId));

export async function themeResponse(ctx: Context, siteId: string): Promise<Theme> {
  const view = await viewTheme(ctx, siteId);
  return {
    revision: view.revision,
    base: view.base,
    shippedVersion: view.base === null ? null : (await shippedManifest(view.base)).version,
    files: [...view.files.values()].map((file) => fileResponse(view, file)),
    missing: [...view.shipped.keys()].filter((path) => !view.files.has(path)),
    manifest: await readManifest(ctx, siteId, view),
  };
}
