/** Paths of files in a theme, without zod. */

const segment = /^[a-z0-9_-][a-z0-9._-]*$/i;
const assetTypes = /\.(?:css|css\.liquid|js|mjs|json|txt|xml|map|webmanifest|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|mp3|mp4|webm)$/i;
const rootFiles = /^(?:theme\.json|README\.md|CHANGELOG\.md|LICENSE(?:\.txt|\.md)?)$/;

/** By folder: the names of its files. */
const folders: Readonly<Record<string, RegExp>> = {
  layouts: /\.liquid$/,
  templates: /\.liquid$/,
  parts: /\.liquid$/,
  texts: /^[A-Za-z0-9-]+\.json$/,
  assets: assetTypes,
};

export const themePathLength = 200;

/**
 * Whether a file of a theme may have this path: `theme.json`, a notice such as `LICENSE`, or a file of a known type in one of the folders. No segment begins
 * with a dot, so that no path is hidden or leads out of the theme.
 */
export function isThemePath(path: string): boolean {
  if (path.length > themePathLength) return false;
  if (rootFiles.test(path)) return true;
  const [folder = '', ...rest] = path.split('/');
  const name = rest.at(-1);
  return (
    name !== undefined && rest.length <= 6 && rest.every((one) => segment.test(one)) && Object.hasOwn(folders, folder) && folders[folder]?.test(name) === true
  );
}

/** Whether a file is edited as text; others are replaced as a whole. */
export const isThemeText = (path: string): boolean => /\.(?:liquid|json|css|js|mjs|svg|txt|md|xml|map|webmanifest)$/i.test(path) || path === 'LICENSE';
