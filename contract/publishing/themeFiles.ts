import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { rowId } from '../text';
import { shippedThemes, themeChangeKinds, themeProblemCodes } from './terms';
import { ThemeManifest, themeLimits } from './theme';
import { themeCalls } from './themeCalls';
import { isThemePath } from './themePaths';

const ThemePath = z.string().refine(isThemePath, 'pattern');
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Null for changes by the program, and if the account no longer exists. */
const Author = z.object({ id: rowId, name: z.string() }).nullable();

/** Something wrong with a theme. Lines and columns count from 1; null if the problem is of the whole file. */
export const ThemeProblem = z.object({
  path: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  code: z.enum(themeProblemCodes),
  /** `syntax`, `limit`: what the parser says, in English. Otherwise the value or file that the problem is about. */
  detail: z.string(),
});
export type ThemeProblem = z.infer<typeof ThemeProblem>;

/** `shipped`: how the file differs from that of the shipped theme; null if the theme is none. */
const ThemeFile = z.object({
  path: z.string(),
  revision: z.int(),
  sha256: Sha256,
  bytes: z.int(),
  /** Whether it is edited as text. */
  text: z.boolean(),
  shipped: z.enum(['same', 'changed', 'added']).nullable(),
  updatedAt: z.iso.datetime().nullable(),
});
export type ThemeFile = z.infer<typeof ThemeFile>;

export const Theme = z.object({
  /** Number of the latest change; 0: the site has chosen no theme yet, and gets this one with its first release. */
  revision: z.int(),
  /** The shipped theme that it comes from; null for an imported one. */
  base: z.enum(shippedThemes).nullable(),
  /** Version of the shipped theme that this version of the program contains. */
  shippedVersion: z.string().nullable(),
  files: z.array(ThemeFile),
  /** Files of the shipped theme that this one lacks. */
  missing: z.array(z.string()),
  /** `theme.json`; null if it is invalid. */
  manifest: ThemeManifest.nullable(),
});
export type Theme = z.infer<typeof Theme>;

/** `content`: null for a file that is no text. */
export const ThemeFileContent = ThemeFile.extend({ content: z.string().nullable() });
export type ThemeFileContent = z.infer<typeof ThemeFileContent>;

/** Why a change was refused: problems (`invalid_fields`), or the current revision (`stale_revision`). */
const Refused = z.object({ problems: z.array(ThemeProblem).optional(), revision: z.int().optional() });

const P = z.object({ siteId: SiteId });
const AtPath = z.object({ path: ThemePath });
const read = { access: { site: 'site.read' }, token: 'publishing:read', params: P } as const;
const write = { access: { site: 'site.compose' }, token: 'publishing:write', params: P, ifMatch: 'required', conflict: Refused } as const;
const errors = ['stale_revision', 'invalid_fields', 'not_found', 'too_large'] as const;
const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

export const themeEndpoints = {
  shippedThemes: endpoint(themeCalls.shippedThemes, {
    ...read,
    summary: 'Themes that come with the program',
    response: z.array(z.object({ name: z.enum(shippedThemes), manifest: ThemeManifest })),
  }),
  theme: endpoint(themeCalls.theme, { ...read, summary: 'The working copy of the theme: its files, and what theme.json declares', response: Theme }),
  installTheme: endpoint(themeCalls.installTheme, {
    ...write,
    summary: 'Replace the theme by a shipped one (If-Match: revision of the theme)',
    body: z.strictObject({ name: z.enum(shippedThemes) }),
    response: Theme,
    errors: ['stale_revision', 'invalid_fields'],
  }),
  themeChanges: endpoint(themeCalls.themeChanges, {
    ...read,
    summary: 'Changes of the theme, the newest first',
    query: z.object({ before: z.coerce.number().int().min(1).optional(), size: z.coerce.number().int().min(1).max(100).default(20) }),
    response: z.object({
      rows: z.array(
        z.object({
          revision: z.int(),
          kind: z.enum(themeChangeKinds),
          base: z.string().nullable(),
          files: z.int(),
          /** The only file that it changed. */
          path: z.string().nullable(),
          updatedBy: Author,
          updatedAt: z.iso.datetime(),
        }),
      ),
      more: z.boolean(),
    }),
  }),
  restoreTheme: endpoint(themeCalls.restoreTheme, {
    ...write,
    summary: 'Return all files to their state after an earlier change, which undoes everything since (If-Match: revision of the theme)',
    body: z.strictObject({ revision: z.int().min(1) }),
    response: Theme,
    errors: [...errors],
  }),
  checkTheme: endpoint(themeCalls.checkTheme, {
    ...read,
    summary: 'Everything that is wrong with the theme',
    response: z.object({ revision: z.int(), problems: z.array(ThemeProblem) }),
    ratePerMinute: 60,
  }),
  exportTheme: endpoint(themeCalls.exportTheme, { ...read, summary: 'The theme as a ZIP archive', kind: 'file', errors: ['not_found'] }),
  importTheme: endpoint(themeCalls.importTheme, {
    ...write,
    summary: 'Replace the theme by that of a ZIP archive, unless it has problems (If-Match: revision of the theme)',
    body: z.strictObject({ /** base64 */ zip: z.base64().max(base64Length(themeLimits.zipBytes)) }),
    response: Theme,
    errors: ['stale_revision', 'invalid_fields', 'too_large'],
    bodyLimit: base64Length(themeLimits.zipBytes) + 1024,
    ratePerMinute: 20,
  }),
  themeFile: endpoint(themeCalls.themeFile, {
    ...read,
    summary: 'A file of the theme, or an earlier version of it',
    query: AtPath.extend({ revision: z.coerce.number().int().min(1).optional() }),
    response: ThemeFileContent,
    errors: ['not_found'],
  }),
  writeThemeFile: endpoint(themeCalls.writeThemeFile, {
    ...write,
    summary: 'Write a file of the theme, unless it has problems (If-Match: revision of the file, 0 for a new one)',
    query: AtPath,
    body: z.union([
      z.strictObject({ text: z.string().max(themeLimits.fileBytes) }),
      z.strictObject({ base64: z.base64().max(base64Length(themeLimits.fileBytes)) }),
    ]),
    response: ThemeFileContent,
    errors: [...errors],
    // Text in JSON may take up to six times its bytes.
    bodyLimit: 6 * themeLimits.fileBytes + 1024,
  }),
  removeThemeFile: endpoint(themeCalls.removeThemeFile, {
    ...write,
    summary: 'Remove a file of the theme (If-Match: revision of the file)',
    query: AtPath,
    errors: ['stale_revision', 'invalid_fields', 'not_found'],
  }),
  checkThemeFile: endpoint(themeCalls.checkThemeFile, {
    access: { site: 'site.compose' },
    token: 'publishing:write',
    params: P,
    summary: 'What would be wrong with a file if it had this text; changes nothing',
    body: z.strictObject({ path: ThemePath, text: z.string().max(themeLimits.fileBytes) }),
    response: z.object({ problems: z.array(ThemeProblem) }),
    bodyLimit: 6 * themeLimits.fileBytes + 1024,
  }),
  renameThemeFile: endpoint(themeCalls.renameThemeFile, {
    ...write,
    summary: 'Rename a file of the theme (If-Match: revision of the file)',
    body: z.strictObject({ from: ThemePath, to: ThemePath }),
    response: ThemeFileContent,
    errors: [...errors, 'name_taken'],
  }),
  themeFileContent: endpoint(themeCalls.themeFileContent, {
    ...read,
    summary: 'The content of a file of the theme as a download',
    query: AtPath.extend({ revision: z.coerce.number().int().min(1).optional() }),
    kind: 'file',
    errors: ['not_found'],
  }),
  themeFileVersions: endpoint(themeCalls.themeFileVersions, {
    ...read,
    summary: 'Versions of a file, the newest first',
    query: AtPath,
    response: z.array(
      z.object({
        revision: z.int(),
        bytes: z.int(),
        /** The file was removed at this revision. */
        removed: z.boolean(),
        /** The change of the theme that made it. */
        change: z.int(),
        updatedBy: Author,
        updatedAt: z.iso.datetime(),
      }),
    ),
  }),
  restoreThemeFile: endpoint(themeCalls.restoreThemeFile, {
    ...write,
    summary: 'Return a file to an earlier version (If-Match: revision of the file, 0 if it was removed)',
    body: z.strictObject({ path: ThemePath, revision: z.int().min(1) }),
    response: ThemeFileContent,
    errors: [...errors],
  }),
  themeFileDifference: endpoint(themeCalls.themeFileDifference, {
    ...read,
    summary: 'A file of the theme and the same file of the shipped theme',
    query: AtPath,
    /** Null: there is no such file, or it is no text. */
    response: z.object({ path: z.string(), shipped: z.string().nullable(), own: z.string().nullable() }),
    errors: ['not_found'],
  }),
};
