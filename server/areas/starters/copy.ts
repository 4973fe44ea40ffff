import type { RoutesPart, SettingsPart } from '../../../contract/publishing/parts';
import type { LanguagesPart } from '../../../contract/languages/part';
import type { SiteParts } from '../../../contract/publishing/schemas';
import type { MenuItem, MenusPart } from '../../../contract/publishing/parts';
import { isUuid } from '../../../contract/uuid';
import type { Context } from '../../context';
import { changeTheme, currentTheme, readThemeFiles, workingParts } from '../publishing';
import type { ThemeChange } from '../publishing';
import { copyBase } from '../sites';
import { putNewPart } from './install';
import type { NewSiteOf } from './install';

/**
 * Copies from another site what does not depend on its records and pictures, which stay there. So does what holds for that site alone: search settings of single
 * pages, its robots.txt, proofs of ownership, keys of push and translation services, hostnames, filings, and the country rule, which would act at once.
 */

/** Values of settings that name a resource of the other site are left out. */
function withoutResources(settings: SettingsPart, name: string, lang: string): SettingsPart {
  const theme = Object.fromEntries(Object.entries(settings.theme).filter(([, value]) => !isUuid(value)));
  return { ...settings, title: { ...settings.title, [lang]: name }, logo: null, icon: null, shareImage: null, theme };
}

/** Pages of their own; tables and their addresses stay with the other site. */
const ownRoutes = (routes: RoutesPart): RoutesPart => routes.filter(({ kind }) => kind === 'template');
const withoutRecords = (items: readonly MenuItem[]): MenuItem[] =>
  items.flatMap((item) => ('record' in item.target ? [] : [{ ...item, items: withoutRecords(item.items) }]));
const ownMenus = (menus: MenusPart): MenusPart => Object.fromEntries(Object.entries(menus).map(([key, items]) => [key, withoutRecords(items)]));

/** The languages of the other site with that of the new one first. Hostnames stay with the other site. */
function languagesFor(lang: string, { languages, ...rest }: LanguagesPart): LanguagesPart {
  const first = languages.find(({ tag }) => tag === lang) ?? { tag: lang, path: lang, fallback: [], missing: 'show' as const };
  const all = [{ ...first, state: 'published' as const }, ...languages.filter(({ tag }) => tag !== lang)];
  return { ...rest, languages: all.map((one) => ({ ...one, hostname: null })) };
}

const withoutPages = (seo: SiteParts['seo']['content']): SiteParts['seo']['content'] => ({ ...seo, overrides: [] });

async function copyTheme(ctx: Context, by: NewSiteOf, from: string): Promise<void> {
  const { last, files } = await currentTheme(ctx, from);
  if (!last || files.size === 0) return;
  const contents = await readThemeFiles(ctx, from, new Set([...files.values()].map(({ sha256 }) => sha256)));
  const copies: ThemeChange['files'] = new Map(
    [...files].flatMap(([path, { sha256, bytes }]) => {
      const content = contents.get(sha256);
      return content ? [[path, { sha256, bytes, content }]] : [];
    }),
  );
  await changeTheme(ctx, by, (current) => ({ kind: 'install', base: last.base, files: current.last ? new Map() : copies }));
}

/** Gives a new site the theme, settings, menus, pages of their own, redirects, search settings and languages of another one. */
export async function copySettings(ctx: Context, by: NewSiteOf, from: { readonly id: string; readonly defaultLang: string }): Promise<void> {
  const lang = by.site.defaultLang;
  const parts: SiteParts = await workingParts(ctx.postgres.db, from);
  await copyTheme(ctx, by, from.id);
  await copyBase(ctx, from.id, by.site.id);
  await putNewPart(ctx, by, 'settings', withoutResources(parts.settings.content, by.site.name, lang));
  await putNewPart(ctx, by, 'menus', ownMenus(parts.menus.content));
  await putNewPart(ctx, by, 'routes', ownRoutes(parts.routes.content));
  await putNewPart(ctx, by, 'redirects', parts.redirects.content);
  await putNewPart(ctx, by, 'seo', withoutPages(parts.seo.content));
  await putNewPart(ctx, by, 'languages', languagesFor(lang, parts.languages.content));
}
