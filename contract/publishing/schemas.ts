import { z } from 'zod';
import { endpoint } from '../endpoint';
import { LanguagesPart } from '../languages/part';
import { languageLimits, removedDays } from '../languages/terms';
import { SeoPart } from '../seo/part';
import { SiteId } from '../sites/schemas';
import { LocaleTag, rowId, safeText } from '../text';
import { publishingCalls } from './calls';
import { MenusPart, RedirectsPart, RoutesPart, SettingsPart } from './parts';
import { partNames, publishingLimits, releaseStates } from './terms';

/** Parts that people edit as one document; the theme is edited file by file. */
export const editedParts = {
  settings: SettingsPart,
  menus: MenusPart,
  routes: RoutesPart,
  redirects: RedirectsPart,
  languages: LanguagesPart,
  seo: SeoPart,
} as const;
export type EditedPart = keyof typeof editedParts;
const editedPartNames = ['settings', 'menus', 'routes', 'redirects', 'languages', 'seo'] as const satisfies readonly EditedPart[];

/** `revision` 0: never edited. */
const working = <T extends z.ZodType>(content: T) => z.object({ content, revision: z.int() });
export const SiteParts = z.object({
  settings: working(SettingsPart),
  menus: working(MenusPart),
  routes: working(RoutesPart),
  redirects: working(RedirectsPart),
  languages: working(LanguagesPart),
  seo: working(SeoPart),
});
export type SiteParts = z.infer<typeof SiteParts>;

export const Release = z.object({
  id: rowId,
  /** Counts from 1 in a site. */
  number: z.int(),
  state: z.enum(releaseStates),
  live: z.boolean(),
  note: z.string(),
  /** Records that it published. */
  records: z.int(),
  /** Parts that differ from the release before. */
  changedParts: z.array(z.enum(partNames)),
  /** The number of the release that it goes back to. */
  rollsBackTo: z.int().nullable(),
  failure: z.object({ code: z.string(), records: z.int() }).nullable(),
  createdBy: z.object({ id: rowId, name: z.string() }).nullable(),
  createdAt: z.iso.datetime(),
  scheduledFor: z.iso.datetime().nullable(),
  publishedAt: z.iso.datetime().nullable(),
});
export type Release = z.infer<typeof Release>;

/** What a change of languages would do. Addresses are without their scheme. */
export const LanguagePlan = z.object({
  /** Addresses of pages that change, and some of them. */
  addresses: z.int(),
  examples: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Redirects that the change adds to the working copy. */
  redirects: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Redirects that the change removes, because they begin at the address of a language. */
  removedRedirects: z.array(z.string()),
  /** Paths of pages that the address of a language hides. */
  collisions: z.array(z.object({ tag: LocaleTag, path: z.string() })),
  /** Languages that the change removes; how many records are translated into them, texts of menus, titles and settings written, and files described. */
  removed: z.array(z.object({ tag: LocaleTag, records: z.int(), texts: z.int(), resources: z.int() })),
});
export type LanguagePlan = z.infer<typeof LanguagePlan>;

/** A language that was removed and whose texts are still stored. */
export const RemovedLanguage = z.object({
  tag: LocaleTag,
  removedAt: z.iso.datetime(),
  by: z.string().nullable(),
  /** When its texts are deleted; later while visitors still get the language. */
  purgeAt: z.iso.datetime(),
  /** They are being deleted, so it cannot be restored any more. */
  purging: z.boolean(),
});
export type RemovedLanguage = z.infer<typeof RemovedLanguage>;

/** Records of a table whose current state differs from the published one. */
const UnreleasedTable = z.object({ table: z.string(), title: z.string(), records: z.array(rowId), more: z.boolean() });

/** Names of parts in a query, separated by commas. */
const PartList = z
  .string()
  .max(200)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(partNames)).min(1));

const P = z.object({ siteId: SiteId });
const R = z.object({ siteId: SiteId, id: rowId });
const read = { access: { site: 'site.read' }, token: 'publishing:read' } as const;
const publish = { access: { site: 'site.publish' }, token: 'publishing:write' } as const;

export const publishingEndpoints = {
  siteParts: endpoint(publishingCalls.siteParts, {
    ...read,
    summary: 'Settings, menus, routes, redirects, languages and texts for search engines of a site, as they are edited',
    params: P,
    response: SiteParts,
  }),
  changeSitePart: endpoint(publishingCalls.changeSitePart, {
    access: { site: 'site.compose' },
    token: 'publishing:write',
    ifMatch: 'required',
    summary: 'Replace a part; visitors see it after the next release (If-Match: revision, 0 for the first time)',
    params: z.object({ siteId: SiteId, part: z.enum(editedPartNames) }),
    body: z.unknown(),
    response: z.object({ revision: z.int() }),
    errors: ['stale_revision', 'invalid_fields', 'not_found'],
    bodyLimit: 8 * 1024 * 1024,
  }),
  planLanguages: endpoint(publishingCalls.planLanguages, {
    access: { site: 'site.compose' },
    token: 'publishing:write',
    summary: 'Which addresses a change of languages would move',
    params: P,
    body: z.strictObject({ content: LanguagesPart }),
    response: LanguagePlan,
    errors: ['invalid_fields'],
  }),
  changeLanguages: endpoint(publishingCalls.changeLanguages, {
    access: { site: 'site.compose' },
    token: 'publishing:write',
    ifMatch: 'required',
    summary: 'Change languages, their addresses and the redirects that this needs; visitors see it after the next release (If-Match: revision)',
    params: P,
    /** `confirm`: tags of removed languages that have texts. `days`: after how many days these texts are deleted. */
    body: z.strictObject({
      content: LanguagesPart,
      confirm: z.array(LocaleTag).max(publishingLimits.languages).default([]),
      days: z.literal(removedDays).default(languageLimits.removedDays),
    }),
    response: z.object({ revision: z.int() }),
    errors: ['stale_revision', 'invalid_fields', 'confirm_mismatch', 'conflict'],
  }),
  languageRemovals: endpoint(publishingCalls.languageRemovals, {
    ...read,
    summary: 'Languages that were removed and whose texts are still stored, with the time at which these are deleted',
    params: P,
    response: z.object({ rows: z.array(RemovedLanguage) }),
  }),
  restoreLanguage: endpoint(publishingCalls.restoreLanguage, {
    access: { site: 'site.compose' },
    token: 'publishing:write',
    summary: 'Add a removed language again, as it was and with its texts',
    params: P.extend({ tag: LocaleTag }),
    response: z.object({ revision: z.int() }),
    errors: ['not_found', 'conflict', 'stale_revision', 'invalid_fields'],
  }),
  releases: endpoint(publishingCalls.releases, {
    ...read,
    summary: 'Releases of a site, the newest first',
    params: P,
    query: z.object({ before: z.coerce.number().int().min(1).optional(), size: z.coerce.number().int().min(1).max(100).default(20) }),
    response: z.object({ rows: z.array(Release), more: z.boolean() }),
  }),
  unreleased: endpoint(publishingCalls.unreleased, {
    ...read,
    summary: 'What the next release would change; with `parts`, one that publishes these parts alone',
    params: P,
    query: z.object({ parts: PartList.optional() }),
    response: z.object({
      /** Identifies the working copy that `createRelease` would publish. */
      working: z.string(),
      parts: z.array(z.enum(partNames)),
      tables: z.array(UnreleasedTable),
    }),
  }),
  createRelease: endpoint(publishingCalls.createRelease, {
    ...publish,
    summary: 'Publish the working copy and records as one release, at once or at a time',
    params: P,
    body: z
      .strictObject({
        working: z.string().max(64),
        note: safeText(publishingLimits.note).default(''),
        records: z
          .array(z.strictObject({ table: z.string().max(40), ids: z.array(rowId).min(1).max(publishingLimits.records) }))
          .max(publishingLimits.tables)
          .default([]),
        publishAt: z.iso.datetime({ offset: true }).optional(),
        /** Publishes these parts alone; the others stay as they are live. Not together with `publishAt`, before which the live ones may change. */
        parts: z.array(z.enum(partNames)).min(1).optional(),
      })
      .refine(({ parts, publishAt }) => parts === undefined || publishAt === undefined, { path: ['publishAt'] }),
    response: Release,
    errors: ['stale_revision', 'not_found', 'invalid_fields', 'conflict', 'forbidden'],
    conflict: z.object({ working: z.string() }),
    bodyLimit: 1024 * 1024,
  }),
  cancelRelease: endpoint(publishingCalls.cancelRelease, {
    ...publish,
    summary: 'Cancel a scheduled release',
    params: R,
    response: Release,
    errors: ['not_found', 'bad_transition'],
  }),
  rollBack: endpoint(publishingCalls.rollBack, {
    ...publish,
    summary: 'Publish an earlier release again, as a new one, and undo the publications of records since',
    params: R,
    body: z.strictObject({
      /** `undo`: records whose published state changed with later releases get the state before. */
      records: z.enum(['undo', 'keep']),
    }),
    response: z.object({ release: Release, skipped: z.int() }),
    errors: ['not_found', 'bad_transition', 'conflict', 'forbidden'],
  }),
};
