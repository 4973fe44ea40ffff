import type { ResourceLabel } from '../../../contract/resources/labels';
import type { MenuItem } from '../../../contract/publishing/parts';
import type { ThemeSetting } from '../../../contract/publishing/theme';
import { textOfSetting } from '../../../contract/publishing/themeTexts';
import type { StoredSetting, TextSetting } from '../../../contract/publishing/themeTexts';
import { isUuid } from '../../../contract/uuid';
import type { PageContext } from '../edition';
import { pathIn } from '../paths';
import { chainOf, textFor, translatable } from './languages';
import { collectionOf, readRecords, urlOf } from './records';
import type { CollectionRoute } from './records';
import { imageOfLabel, linkOf } from './values';
import type { TemplateImage } from './values';

type Texts = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;
/** A menu entry; whether it is active depends on the page. */
export type TemplateMenuItem = { readonly title: string; readonly url: string | null; readonly items: readonly TemplateMenuItem[] };

/** Values that all pages of a site in a language have in common. */
export type Globals = {
  readonly site: Fields & { readonly title: string; readonly description: string | null; readonly tagline: string | null };
  readonly settings: Fields;
  readonly menus: Readonly<Record<string, readonly TemplateMenuItem[]>>;
  readonly collections: Readonly<Record<string, { readonly title: string; readonly url: string }>>;
  readonly texts: Readonly<Record<string, string>>;
  readonly assets: Readonly<Record<string, string>>;
  /** Public resources that settings name: logo, icon, picture of social cards, and those of the theme. */
  readonly resources: Readonly<Record<string, ResourceLabel>>;
};

const textOrNull = (context: PageContext, texts: Texts): string | null => textFor(context, texts) ?? null;
export const titleOfSite = (context: PageContext): string => textFor(context, context.release.settings.title) ?? context.site.name;

/** Path of the search page; null if the theme has none. */
export const searchPath = ({ release }: Pick<PageContext, 'release'>): string | null => {
  if (!release.theme?.manifest.templates.search) return null;
  const route = release.routes.find((one) => one.kind === 'template' && one.template === 'search');
  return route?.kind === 'template' ? route.path : '/search';
};

/** Title of a collection in the language of the page, as the theme names it. */
export function collectionTitle(context: PageContext, key: string): string {
  return textFor(context, collectionOf(context, key)?.title ?? {}) ?? key;
}

/** An image that settings name, with its text as the page shows it. */
function translatedImage(context: PageContext, label: ResourceLabel): TemplateImage {
  const image = imageOfLabel(label, context.language);
  return { ...image, alt: translatable(context, image.alt) };
}
/** A text of a setting in the language of the page. One that is the same in all languages can be translated only where there is one. */
function settingText(context: PageContext, setting: TextSetting, stored: StoredSetting): string {
  const { languages } = context.release;
  if (setting.localized === false) {
    const text = typeof stored === 'string' ? stored : setting.default;
    return languages.length === 1 ? translatable(context, text) : text;
  }
  return translatable(context, textOfSetting(setting, stored, chainOf(context), languages[0] ?? context.language));
}

function settingValue(setting: ThemeSetting, context: PageContext, resources: Globals['resources']): unknown {
  const { release } = context;
  const stored = release.settings.theme[setting.key];
  switch (setting.type) {
    case 'image': {
      const label = typeof stored === 'string' ? resources[stored] : undefined;
      return label ? [translatedImage(context, label)] : null;
    }
    case 'color':
      return typeof stored === 'string' && /^#[0-9a-f]{6}$/i.test(stored) ? stored : setting.default;
    case 'choice':
      return setting.choices.some(({ value }) => value === stored) ? stored : setting.default;
    case 'number':
      return typeof stored === 'number' ? Math.min(setting.max, Math.max(setting.min, stored)) : setting.default;
    case 'boolean':
      return typeof stored === 'boolean' ? stored : setting.default;
    case 'link':
      return linkOf(typeof stored === 'string' ? stored : setting.default);
    case 'text':
    case 'long_text':
      return settingText(context, setting, stored);
  }
}

function settingsOf(context: PageContext, resources: Globals['resources']): Fields {
  const declared = context.release.theme?.manifest.settings ?? [];
  return Object.fromEntries(declared.map((setting) => [setting.key, settingValue(setting, context, resources)]));
}

/** Ids of the records that menus lead to, by table. */
function menuRecords(items: readonly MenuItem[]): { readonly table: string; readonly record: string }[] {
  return items.flatMap(({ target, items: children }) => [...('record' in target ? [target] : []), ...menuRecords(children)]);
}

/** Addresses of published records that menus lead to, by table and id. Routes decide; a record without a route has none. */
async function recordAddresses(context: PageContext): Promise<ReadonlyMap<string, string>> {
  const targets = Object.values(context.release.menus).flatMap(menuRecords);
  const found = new Map<string, string>();
  for (const table of new Set(targets.map((target) => context.content.tableId(target.table)))) {
    const route = context.release.routes.find((one) => one.kind === 'collection' && context.content.tableId(one.table) === table);
    if (table === null || route?.kind !== 'collection') continue;
    const ids = targets.filter((target) => context.content.tableId(target.table) === table).map(({ record }) => record);
    const { rows } = await readRecords(context, route, { ids, limit: ids.length });
    for (const one of rows) {
      const url = urlOf(context, one);
      if (url !== null) found.set(one.record.id, url);
    }
  }
  return found;
}

/** Entries with an address. An entry without one, such as of a record that is not published, stays only as the title of a submenu. */
function menuItems(context: PageContext, items: readonly MenuItem[], records: ReadonlyMap<string, string>): TemplateMenuItem[] {
  return items.flatMap(({ label, target, items: children }): TemplateMenuItem[] => {
    const title = textFor(context, label) ?? '';
    const below = menuItems(context, children, records);
    const url = 'url' in target ? target.url : 'path' in target ? pathWithQuery(context, target.path) : (records.get(target.record) ?? null);
    return title === '' || (url === null && below.length === 0) ? [] : [{ title, url, items: below }];
  });
}

/** A path that may have a query or a fragment, in the language of the page. */
function pathWithQuery(context: PageContext, target: string): string {
  const [, path = '/', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  return pathIn(context, path, context.language) + rest;
}

function collectionsOf(context: PageContext): Globals['collections'] {
  const lists = context.release.routes.filter(
    (route): route is CollectionRoute & { listPath: string } => route.kind === 'collection' && route.listPath !== null,
  );
  return Object.fromEntries(
    lists.map(({ collection, listPath }) => [collection, { title: collectionTitle(context, collection), url: pathIn(context, listPath, context.language) }]),
  );
}

export const assetUrl = (context: Pick<PageContext, 'root'>, { hash, name }: { readonly hash: string; readonly name: string }): string =>
  `${context.root}/_t/${hash}/${name.split('/').map(encodeURIComponent).join('/')}`;

/** Feeds contain collections whose records have pages. */
export const feedRoutes = ({ release }: Pick<PageContext, 'release'>): CollectionRoute[] =>
  release.routes.filter((route): route is CollectionRoute => route.kind === 'collection' && route.feed && route.recordPath !== null);

function siteOf(context: PageContext, resources: Globals['resources']): Globals['site'] {
  const { release, language, site } = context;
  const { settings } = release;
  const search = searchPath(context);
  const logo = settings.logo === null ? undefined : resources[settings.logo];
  return {
    title: titleOfSite(context),
    tagline: textOrNull(context, settings.tagline),
    description: textOrNull(context, settings.description),
    language: release.languages[0],
    time_zone: site.timeZone,
    url: pathIn(context, '/', language),
    search_url: search === null ? null : pathIn(context, search, language),
    feed_url: feedRoutes(context).length === 0 ? null : pathIn(context, '/feed.xml', language),
    logo: logo ? [translatedImage(context, logo)] : null,
    contact: { company: settings.company, email: settings.email, phone: settings.phone },
  };
}

function settingResources({ release }: PageContext): string[] {
  const { settings, theme } = release;
  const declared = (theme?.manifest.settings ?? []).filter(({ type }) => type === 'image').map(({ key }) => settings.theme[key]);
  return [settings.logo, settings.icon, settings.shareImage, ...declared].filter(isUuid);
}

/** Reads what all pages in the language of the context have in common. */
export async function readGlobals(context: PageContext): Promise<Globals> {
  const { release, content, language } = context;
  const [resources, records] = await Promise.all([content.resources(settingResources(context)), recordAddresses(context)]);
  return {
    site: siteOf(context, resources),
    settings: settingsOf(context, resources),
    menus: Object.fromEntries(Object.entries(release.menus).map(([key, items]) => [key, menuItems(context, items, records)])),
    collections: collectionsOf(context),
    texts: Object.fromEntries(Object.entries(release.theme?.texts(language) ?? {}).map(([key, text]) => [key, translatable(context, text)])),
    assets: Object.fromEntries([...(release.theme?.assets ?? [])].map(([name, asset]) => [name, assetUrl(context, asset)])),
    resources,
  };
}

type ActiveMenuItem = TemplateMenuItem & { readonly active: boolean };

/** Menus with the entry of a page marked, and those above it. `path`: address of the page, null: of none. `home`: address of the home page, which is above no other. */
export const withActive = (items: readonly TemplateMenuItem[], path: string | null, home: string): ActiveMenuItem[] =>
  items.map((item) => {
    const below = withActive(item.items, path, home);
    const isHere = path !== null && item.url !== null && (item.url === path || (item.url !== home && path.startsWith(`${item.url}/`)));
    return { ...item, items: below, active: isHere || below.some(({ active }) => active) };
  });
