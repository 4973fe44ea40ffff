import type { AddressRules } from '../../../contract/languages/addresses';
import { pathOfRecord } from '../../../contract/publishing/recordPath';
import { parts as partSchemas } from '../../../contract/publishing/parts';
import type { Route, SettingsPart } from '../../../contract/publishing/parts';
import type { ThemeManifest } from '../../../contract/publishing/theme';
import type { SeoPart } from '../../../contract/seo/part';
import { compilePageRules } from '../../../contract/seo/pageRules';
import type { PageFacts, PageRules } from '../../../contract/seo/pageRules';
import { seoLimits } from '../../../contract/seo/terms';
import { textIn } from '../../../contract/tables/fieldTypes/fileValues';
import type { Context } from '../../context';
import { addressRulesOf, liveSite, manifestOf, readThemeFiles, workingSite } from '../publishing';
import type { WorkingSite } from '../publishing';
import { readIndexedSite } from '../sites';
import { openSiteContent } from '../tables';
import type { PageRecord, SiteContent } from '../tables';
import { machineMarks } from '../languages';
import { machineLanguages } from './machineTexts';
import type { MachineTexts } from './machineTexts';
import { bodyField, recordExcerpt, recordTitle, withHome } from './ownTexts';
import type { CollectionRoute } from './sitemapFiles';

type SiteRow = { readonly id: string; readonly name: string; readonly defaultLang: string; readonly timeZone: string };
export type SitePage = PageFacts & {
  readonly hasImage: boolean;
  /** Shows a machine translation that search engines may not index. */ readonly isMachine: boolean;
};

/** A site as its pages are made of it: the parts of a release or of the working copy, and published records. */
export type PagedSite = {
  readonly id: string;
  readonly name: string;
  readonly timeZone: string;
  readonly settings: SettingsPart;
  readonly routes: ReturnType<typeof withHome>;
  /** Tags of the languages that visitors get. */
  readonly languages: readonly string[];
  readonly addresses: AddressRules;
  readonly seo: SeoPart;
  readonly pageRules: PageRules;
  readonly theme: ThemeManifest | null;
  readonly search: string | null;
  readonly content: SiteContent;
  readonly noindexMachine: boolean;
  readonly machineMarks: MachineTexts['machineMarks'];
  /** Tags of the languages in which a page without a version in them does not exist. */
  readonly hidesMissing: ReadonlySet<string>;
};

async function pagedSite(ctx: Context, row: SiteRow, parts: WorkingSite['parts'], read: WorkingSite['read']): Promise<PagedSite> {
  const file = partSchemas.theme.parse(parts.theme).files['theme.json'];
  const theme = file === undefined ? null : manifestOf((await read(ctx, row.id, [file])).get(file));
  const part = partSchemas.languages.parse(parts.languages);
  const languages = part.languages.filter(({ state }) => state === 'published').map(({ tag }) => tag);
  const served = (await readIndexedSite(ctx, row.id)) ?? { origin: null, hostnames: new Map() };
  const seo = partSchemas.seo.parse(parts.seo);
  const routes = withHome(partSchemas.routes.parse(parts.routes), theme);
  const search = routes.find((route) => route.kind === 'template' && route.template === 'search');
  return {
    id: row.id,
    name: row.name,
    timeZone: row.timeZone,
    settings: partSchemas.settings.parse(parts.settings),
    routes,
    languages,
    addresses: addressRulesOf(served, part),
    seo,
    pageRules: compilePageRules(seo, languages),
    theme,
    search: theme?.templates['search'] ? (search?.kind === 'template' ? search.path : '/search') : null,
    content: await openSiteContent(ctx, { id: row.id, timeZone: row.timeZone, working: false }),
    noindexMachine: part.noindexMachine,
    machineMarks: (table, ids) => machineMarks(ctx.postgres.db, row.id, table, ids),
    hidesMissing: new Set(part.languages.filter(({ tag, missing }) => missing === 'hide' && tag !== languages[0]).map(({ tag }) => tag)),
  };
}

/** The working copy of a site with its published records. */
export async function workingPages(ctx: Context, row: SiteRow): Promise<PagedSite> {
  const { parts, read } = await workingSite(ctx, row);
  return pagedSite(ctx, row, parts, read);
}

/** The live release of a site; null before the first one. */
export async function livePages(ctx: Context, row: SiteRow): Promise<PagedSite | null> {
  const live = await liveSite(ctx, row.id);
  return live && pagedSite(ctx, row, live.parts, readThemeFiles);
}

/** Texts that titles of all pages may have. */
export const siteFacts = ({ settings, name }: PagedSite, tag: string) => ({
  title: textIn(settings.title, tag) || name,
  tagline: textIn(settings.tagline, tag) || null,
});

const collectionTitle = ({ theme }: PagedSite, key: string, tag: string): string => textIn(theme?.collections[key]?.title ?? {}, tag) ?? key;
const ofCollection = (site: PagedSite, collection: string | null, tag: string) => ({
  collection,
  collectionTitle: collection === null ? null : collectionTitle(site, collection, tag),
});

/** The collection whose list a route shows; null: none. */
function listedBy(site: PagedSite, route: Route): string | null {
  if (route.kind === 'collection') return route.collection;
  const template = site.theme?.templates[route.template];
  const listed = template?.shows === 'list' ? template.for : undefined;
  return listed !== undefined && site.routes.some((one) => one.kind === 'collection' && one.collection === listed) ? listed : null;
}

function ownTitle(site: PagedSite, route: Route, path: string, tag: string): string | null {
  const collection = listedBy(site, route);
  if (route.kind === 'collection' || collection !== null)
    return path === '/' || (route.kind === 'template' && route.template === 'home') ? null : collectionTitle(site, collection ?? '', tag);
  const label = path === '/' ? {} : (site.theme?.templates[route.template]?.label ?? {});
  return textIn(route.title, tag) || (textIn(label, tag) ?? null);
}

/** Lists and pages of their own. */
function ownPages(site: PagedSite, tag: string): SitePage[] {
  const { settings } = site;
  const aboutSite = textIn(settings.description, tag) || textIn(settings.tagline, tag) || null;
  return site.routes.flatMap((route): SitePage[] => {
    const path = route.kind === 'template' ? route.path : route.listPath;
    if (path === null || path === site.search) return [];
    const collection = listedBy(site, route);
    return [
      {
        ...ofCollection(site, collection, tag),
        kind: path === '/' ? 'home' : collection === null ? 'template' : 'list',
        path,
        language: tag,
        title: ownTitle(site, route, path, tag),
        description: path === '/' ? aboutSite : null,
        page: 1,
        date: null,
        hasImage: settings.shareImage !== null,
        isMachine: false,
      },
    ];
  });
}

const readAtOnce = 500;
/** Whether a record has a page of its own in a language; one of a table without the languages of the site is known in the first. */
function existsIn({ languages }: PagedSite, { locales }: PageRecord, tag: string): boolean {
  return locales.includes(tag) || (tag === languages[0] && !languages.some((language) => locales.includes(language)));
}

function recordPage(site: PagedSite, route: CollectionRoute, record: PageRecord, tag: string, isMachine: boolean): SitePage | null {
  const { $slug: slug } = record.values;
  const name = route.slug === null ? record.id : slug?.kind === 'plain' ? slug.value : null;
  if (typeof name !== 'string' || name === '' || route.recordPath === null || !existsIn(site, record, tag)) return null;
  const fields = site.theme?.collections[route.collection]?.fields ?? {};
  const hasOwnImage = Object.entries(record.values).some(([key, value]) => fields[key]?.type === 'image' && value.kind === 'files' && value.files.length > 0);
  return {
    ...ofCollection(site, route.collection, tag),
    kind: 'record',
    path: pathOfRecord(route.recordPath, name),
    language: tag,
    title: recordTitle(record),
    description: recordExcerpt(record, fields),
    page: 1,
    date: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: site.timeZone }).format(new Date(record.publishedAt ?? record.createdAt)),
    hasImage: hasOwnImage || site.settings.shareImage !== null,
    isMachine,
  };
}

/** The newest records of a collection, at most `most`. */
async function recordPages(site: PagedSite, route: CollectionRoute, tag: string, most: number): Promise<{ pages: SitePage[]; more: boolean }> {
  const fields = site.theme?.collections[route.collection]?.fields ?? {};
  const needed = ['title', 'summary', bodyField(fields) ?? '', ...Object.keys(fields).filter((key) => fields[key]?.type === 'image')];
  const read = Object.fromEntries(needed.flatMap((key) => (route.fields[key] === undefined ? [] : [[key, route.fields[key]]])));
  const pages: SitePage[] = [];
  for (let offset = 0; offset < most; offset += readAtOnce) {
    const { rows, more } = await site.content.records({
      table: route.table,
      fields: { ...read, ...(route.slug === null ? {} : { $slug: route.slug }) },
      locale: tag,
      sort: '-$publishedAt',
      offset,
      limit: Math.min(readAtOnce, most - offset),
    });
    const ids = rows.map(({ id }) => id);
    const machine = await machineLanguages(site, route, fields, ids);
    for (const record of rows) {
      const page = recordPage(site, route, record, tag, machine.get(record.id)?.has(tag) ?? false);
      if (page) pages.push(page);
    }
    if (!more) return { pages, more: false };
  }
  return { pages, more: true };
}

/** Pages of a site in a language: lists and pages of their own, then the newest records of each collection. `more`: there are more than are read. */
export async function pagesOf(site: PagedSite, tag: string): Promise<{ readonly pages: readonly SitePage[]; readonly more: boolean }> {
  const pages = ownPages(site, tag);
  let more = false;
  for (const route of site.routes) {
    if (route.kind !== 'collection' || route.recordPath === null) continue;
    const found = await recordPages(site, route, tag, Math.max(0, seoLimits.pages - pages.length));
    pages.push(...found.pages);
    more ||= found.more;
  }
  return { pages, more };
}
