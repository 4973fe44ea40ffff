import { z } from 'zod';
import type { FieldCode } from '../errors';
import { LanguagesPart } from '../languages/part';
import { SeoPart } from '../seo/part';
import { LocaleTag, rowId, safeText } from '../text';
import { compileRedirectPattern, isPatternTarget, patternOf, redirectPatternLimits } from './redirectPattern';
import { publishingLimits, redirectOrigins } from './terms';
import { settingLengths } from './themeTexts';

/** Parts of a site's release: JSON documents, each edited by itself in the working copy. */

const Texts = (max: number) => z.record(LocaleTag, safeText(max)).refine((texts) => Object.keys(texts).length <= publishingLimits.languages);
const Key = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);
const RowName = z.string().max(40);

/** Characters of a segment, in any script; without those that end or escape a path, and without braces, which mark `{slug}`. */
const segment = String.raw`[^\s/?#%{}\\]+`;
/** A decoded path of a delivered site, such as `/blog`. */
export const PathText = z
  .string()
  .max(publishingLimits.path)
  .regex(new RegExp(`^/(?:${segment}(?:/${segment})*)?$`, 'u'));
/** The path of records: `{slug}`, as a whole segment, stands for the record. */
export const RecordPath = z
  .string()
  .max(publishingLimits.path)
  .regex(new RegExp(String.raw`^/(?:${segment}/)*\{slug\}(?:/${segment})*$`, 'u'));

export const SettingsPart = z.strictObject({
  title: Texts(120).default({}),
  tagline: Texts(160).default({}),
  description: Texts(300).default({}),
  logo: rowId.nullable().default(null),
  icon: rowId.nullable().default(null),
  shareImage: rowId.nullable().default(null),
  company: safeText(100).default(''),
  email: z.union([z.email().max(254), z.literal('')]).default(''),
  phone: safeText(40).default(''),
  /** `closed`: no page may be indexed. */
  robots: z.enum(['open', 'closed']).default('open'),
  /** Whether the program's own tag measures visits in browsers. */
  measuring: z.boolean().default(true),
  /** HTML that the owner adds to every page. */
  headCode: z.string().max(publishingLimits.code).default(''),
  bodyCode: z.string().max(publishingLimits.code).default(''),
  /** Values of the theme's settings by key. A text may have one for each language. */
  theme: z.record(Key, z.union([z.string().max(settingLengths.long_text), z.number(), z.boolean(), z.null(), Texts(settingLengths.long_text)])).default({}),
});
export type SettingsPart = z.output<typeof SettingsPart>;

export type MenuItem = {
  /** Unique in its menu. */
  readonly id: string;
  readonly label: Readonly<Record<string, string>>;
  readonly target: { readonly path: string } | { readonly url: string } | { readonly table: string; readonly record: string };
  readonly items: readonly MenuItem[];
};
const WebAddress = z.url({ protocol: /^(?:https?|mailto|tel)$/ }).max(2000);
const MenuItem: z.ZodType<MenuItem> = z.strictObject({
  id: RowName,
  label: Texts(100),
  target: z.union([
    z.strictObject({ path: z.string().max(publishingLimits.path).startsWith('/') }),
    z.strictObject({ url: WebAddress }),
    z.strictObject({ table: RowName, record: rowId }),
  ]),
  items: z.lazy(() => z.array(MenuItem).max(publishingLimits.menuItems)),
});
const depthOf = (items: readonly MenuItem[]): number => 1 + Math.max(0, ...items.map((item) => (item.items.length === 0 ? 0 : depthOf(item.items))));
const countOf = (items: readonly MenuItem[]): number => items.reduce((sum, item) => sum + 1 + countOf(item.items), 0);

/** Menus by the key under which the theme shows them. */
export const MenusPart = z.record(
  Key,
  z
    .array(MenuItem)
    .refine((items) => countOf(items) <= publishingLimits.menuItems)
    .refine((items) => depthOf(items) <= publishingLimits.menuDepth),
);
export type MenusPart = z.output<typeof MenusPart>;

/** Records of a table as a collection of the theme: which fields its templates get, and at which addresses they are. */
const CollectionRoute = z.strictObject({
  kind: z.literal('collection'),
  collection: Key,
  table: RowName,
  /** Fields of the table by field of the collection. */
  fields: z.record(Key, RowName),
  /** Address of the list; null for none, such as for pages. */
  listPath: PathText.nullable(),
  recordPath: RecordPath.nullable(),
  /** The field of type slug that addresses use; null: the id. */
  slug: RowName.nullable(),
  perPage: z.int().min(1).max(100).default(10),
  sort: z.string().max(60).default('-$publishedAt'),
  feed: z.boolean().default(true),
  sitemap: z.boolean().default(true),
});
/** A single page that a template shows, such as the home page. */
const TemplateRoute = z.strictObject({ kind: z.literal('template'), path: PathText, template: Key, title: Texts(120).default({}) });

export const Route = z.discriminatedUnion('kind', [CollectionRoute, TemplateRoute]);
export type Route = z.output<typeof Route>;

/** Addresses that belong to the program, in every language. */
export const reservedPath = (path: string): boolean =>
  /^\/(?:_[^/]*|\.well-known|robots\.txt|sitemap[^/]*\.(?:xml|txt)|feed\.xml|favicon\.ico|llms\.txt)(?:\/|$)/.test(path);

const pathsOf = (route: Route): string[] =>
  (route.kind === 'template' ? [route.path] : [route.listPath, route.recordPath]).filter((path): path is string => path !== null);

/** Tried in this order where two record paths fit the same address. */
export const RoutesPart = z
  .array(Route)
  .max(publishingLimits.routes)
  .superRefine((routes, { addIssue }) => {
    const known = new Set<string>();
    for (const [i, route] of routes.entries())
      for (const path of pathsOf(route)) {
        if (reservedPath(path)) addIssue({ code: 'custom', message: 'reserved', path: [i] });
        if (known.has(path)) addIssue({ code: 'custom', message: 'duplicate', path: [i] });
        known.add(path);
      }
  });
export type RoutesPart = z.output<typeof RoutesPart>;

/** Files of the theme: SHA-256 by path. */
export const ThemePart = z.strictObject({
  /** The shipped theme that it was copied from. */
  base: z.string().max(40).nullable(),
  files: z.record(z.string().max(200), z.string().regex(/^[0-9a-f]{64}$/)),
});
export type ThemePart = z.output<typeof ThemePart>;

/** A path, a web address, or empty where a page is gone. */
export const RedirectTarget = z.string().trim().max(2000);
const Redirect = z.strictObject({
  /** A path, a path followed by `/*` for everything below it, or `~` followed by a regular expression that has to match the whole path: `~/blog/(\\d{4})/(.+)`. */
  from: z.string().max(publishingLimits.path).regex(/^[/~]/),
  /** `:splat` is replaced by what `*` matched, `$1` to `$9` by what the groups of the regular expression matched. */
  to: RedirectTarget,
  status: z.literal([301, 302, 307, 308, 410]).default(301),
  origin: z.enum(redirectOrigins).default('person'),
  note: safeText(200).default(''),
  /** The last day on which it applies, in the time zone of the site; null: always. */
  expiresOn: z.iso.date().nullable().default(null),
});
export const RedirectsPart = z
  .array(Redirect)
  .max(publishingLimits.redirects)
  .superRefine((redirects, { addIssue }) => {
    const refuse = (at: number, field: 'from' | 'to', message: FieldCode): void => addIssue({ code: 'custom', message, path: [at, field] });
    let patterns = 0;
    for (const [at, { from, to }] of redirects.entries()) {
      const source = patternOf(from);
      if (source === null) continue;
      patterns += 1;
      // Those beyond the limit are not compiled, which takes a while for thousands.
      if (patterns > redirectPatternLimits.patterns) return refuse(at, 'from', 'out_of_range');
      const pattern = compileRedirectPattern(source);
      if (!pattern) refuse(at, 'from', 'pattern');
      else if (!isPatternTarget(to, pattern.groups)) refuse(at, 'to', 'pattern');
    }
  });

/** Schemas of all parts by name. */
export const parts = {
  settings: SettingsPart,
  theme: ThemePart,
  menus: MenusPart,
  routes: RoutesPart,
  redirects: RedirectsPart,
  languages: LanguagesPart,
  seo: SeoPart,
} as const;
