/** Terms of publishing, without zod. */

/** Parts of a release. */
export const partNames = ['settings', 'theme', 'menus', 'routes', 'redirects', 'languages', 'seo'] as const;
export type PartName = (typeof partNames)[number];

export const releaseStates = ['scheduled', 'published', 'failed', 'cancelled'] as const;
export type ReleaseState = (typeof releaseStates)[number];

/** How a redirect came about. */
export const redirectOrigins = ['person', 'import', 'not_found', 'languages'] as const;

/** Themes that come with the program. A site that has chosen none gets the first. */
export const shippedThemes = ['company', 'blog', 'docs'] as const;
export type ShippedTheme = (typeof shippedThemes)[number];

/** How the theme of a site was changed. */
export const themeChangeKinds = ['install', 'edit', 'import', 'restore'] as const;
export type ThemeChangeKind = (typeof themeChangeKinds)[number];

/**
 * What may be wrong with a theme. `manifest`: a value of `theme.json`; `unknown_collection`: one that it does not define; `missing_file`: a file that the theme
 * refers to; `texts`: a file of texts that is no object of texts; `path`: a file whose path or type is not allowed; `not_text`: it is not UTF-8.
 */
export const themeProblemCodes = [
  'syntax',
  'limit',
  'manifest',
  'unknown_collection',
  'missing_file',
  'texts',
  'path',
  'not_text',
  'too_large',
  'too_many',
  'not_a_zip',
] as const;
export type ThemeProblemCode = (typeof themeProblemCodes)[number];

export const publishingLimits = {
  languages: 50,
  /** Characters of a path. */
  path: 500,
  /** Characters of the HTML that an owner adds to the head or the end of every page. */
  code: 20_000,
  menuItems: 200,
  menuDepth: 3,
  routes: 100,
  redirects: 10_000,
  /** Records of one table, and tables, of one release. */
  records: 2000,
  tables: 50,
  /** Characters of the note of a release. */
  note: 1000,
} as const;
