import type { MenuItem, MenusPart, RoutesPart, SettingsPart } from '../../../../contract/publishing/parts';
import { textAlong } from '../../../../contract/languages/fallback';
import type { ThemeManifest } from '../../../../contract/publishing/theme';
import { hasLanguages, textsOfSetting } from '../../../../contract/publishing/themeTexts';
import type { TextPlace } from '../../../../contract/languages/translations';
import type { TextFormat, TranslatedEntity } from '../../../../contract/languages/translationTerms';
import { isUuid } from '../../../../contract/uuid';
import type { Context } from '../../../context';
import { currentManifest, currentTheme, defaultTheme, readThemeFile, workingParts } from '../../publishing';
import { recordTexts, translatableTables } from '../../tables';
import type { TranslatableTable } from '../../tables';
import { grouped } from './grouped';
import { placeKey } from './states';
import type { Translator } from './translator';

/** One text with its translations. `translations`: by language, without empty ones. */
export type PlaceText = {
  readonly field: string;
  readonly label: string;
  readonly format: TextFormat;
  readonly editable: boolean;
  readonly source: string;
  readonly translations: Readonly<Record<string, string>>;
};
/** What has texts. `revision`: of a record. `locales`: languages that its table has; null: any. */
export type Place = {
  readonly place: TextPlace;
  readonly title: string;
  readonly sourceTag: string;
  readonly revision: number;
  readonly locales: readonly string[] | null;
  readonly texts: readonly PlaceText[];
};

type Texts = Readonly<Record<string, string>>;
const single = (entity: TranslatedEntity, sourceTag: string, texts: readonly PlaceText[], group = ''): Place => ({
  place: { entity, group, id: '' },
  title: group,
  sourceTag,
  revision: 0,
  locales: null,
  texts: texts.filter(({ source }) => source !== ''),
});
const textIn = (field: string, label: string, texts: Texts, language: string): PlaceText => ({
  field,
  label,
  format: 'text',
  editable: true,
  source: texts[language] ?? '',
  translations: Object.fromEntries(Object.entries(texts).filter(([tag, text]) => tag !== language && text !== '')),
});

const itemsOf = (items: readonly MenuItem[]): MenuItem[] => items.flatMap((item) => [item, ...itemsOf(item.items)]);
export const settingTexts = ['title', 'tagline', 'description'] as const satisfies readonly (keyof SettingsPart)[];

const menuPlaces = (menus: MenusPart, language: string): Place[] =>
  Object.entries(menus).map(([key, items]) =>
    single(
      'menu',
      language,
      itemsOf(items).map(({ id, label }) => textIn(id, label[language] ?? '', label, language)),
      key,
    ),
  );
const settingsPlace = (settings: SettingsPart, language: string): Place =>
  single(
    'settings',
    language,
    settingTexts.map((field) => textIn(field, field, settings[field], language)),
  );
const themeSettingsPlace = ({ settings }: Pick<ThemeManifest, 'settings'>, { theme }: SettingsPart, language: string): Place =>
  single(
    'theme_settings',
    language,
    settings.filter(hasLanguages).map((setting) => {
      const label = textAlong(setting.label, [language, 'en']) ?? setting.key;
      return textIn(setting.key, label, textsOfSetting(setting, theme[setting.key], language), language);
    }),
  );
const routesPlace = (routes: RoutesPart, language: string): Place =>
  single(
    'routes',
    language,
    routes.flatMap((route) => (route.kind === 'template' ? [textIn(route.path, route.path, route.title, language)] : [])),
  );

const textFile = /^texts\/([A-Za-z0-9-]+)\.json$/;
/** Texts of the theme by language. */
export async function themeTexts(ctx: Context, siteId: string): Promise<Map<string, Texts>> {
  const current = await currentTheme(ctx, siteId);
  const hashes = current.last ? new Map([...current.files].map(([path, { sha256 }]) => [path, sha256])) : new Map(Object.entries((await defaultTheme()).files));
  const texts = new Map<string, Texts>();
  for (const [path, sha256] of hashes) {
    const [, language] = textFile.exec(path) ?? [];
    if (language !== undefined) texts.set(language, JSON.parse((await readThemeFile(ctx, siteId, sha256)).toString('utf8')) as Texts);
  }
  return texts;
}
async function themePlace(ctx: Context, { site, languages: [initial = ''] }: Translator): Promise<Place> {
  const texts = await themeTexts(ctx, site.id);
  const sourceTag = [initial, 'en'].find((tag) => texts.has(tag)) ?? texts.keys().next().value ?? initial;
  const byKey = Object.entries(texts.get(sourceTag) ?? {}).map(([key]) =>
    textIn(key, key, Object.fromEntries([...texts].flatMap(([tag, all]) => (all[key] === undefined ? [] : [[tag, all[key]] as const]))), sourceTag),
  );
  return single('theme', sourceTag, byKey);
}

/** Menus, titles, settings and texts of the theme, in the working copy. */
export async function partPlaces(ctx: Context, who: Translator): Promise<Place[]> {
  const [initial = ''] = who.languages;
  const { settings, menus, routes } = await workingParts(ctx.postgres.db, who.site);
  const manifest = await currentManifest(ctx, who.site.id);
  const places = [
    settingsPlace(settings.content, initial),
    ...menuPlaces(menus.content, initial),
    routesPlace(routes.content, initial),
    ...(manifest ? [themeSettingsPlace(manifest, settings.content, initial)] : []),
    await themePlace(ctx, who),
  ];
  return places.filter(({ texts }) => texts.length > 0);
}

/** Tables with texts that the person may see. */
export const tablesOf = async (ctx: Context, who: Translator): Promise<TranslatableTable[]> =>
  who.records === 'none' ? [] : translatableTables(ctx, who.reader);

/** Records of a table with their texts. */
export async function recordPlaces(ctx: Context, who: Translator, table: TranslatableTable, ids: readonly string[]): Promise<Place[]> {
  const records = await recordTexts(ctx, who.reader, table.id, ids);
  return records.map(({ id, title, revision, source, translations }) => ({
    place: { entity: 'record', group: table.id, id },
    title,
    sourceTag: table.locales[0] ?? '',
    revision,
    locales: table.locales,
    texts: table.fields.flatMap(({ id: field, title: label, format, editable }) => {
      const text = source[field];
      if (text === undefined) return [];
      const own = Object.entries(translations).flatMap(([tag, values]) => (values[field] === undefined ? [] : [[tag, values[field]] as const]));
      return [{ field, label, format, editable: editable && who.records === 'write', source: text, translations: Object.fromEntries(own) }];
    }),
  }));
}

/** Places by their names, in that order; those that do not exist or that the person may not see are left out. */
export async function findPlaces(ctx: Context, who: Translator, requested: readonly TextPlace[]): Promise<Place[]> {
  const found = new Map<string, Place>();
  if (requested.some(({ entity }) => entity !== 'record')) for (const one of await partPlaces(ctx, who)) found.set(placeKey(one.place), one);
  const byTable = grouped(
    requested.filter(({ entity }) => entity === 'record'),
    ({ group }) => group,
  );
  if (byTable.size > 0)
    for (const table of await tablesOf(ctx, who)) {
      const ids = [...new Set(byTable.get(table.id)?.map(({ id }) => id))].filter(isUuid);
      if (ids.length > 0) for (const one of await recordPlaces(ctx, who, table, ids)) found.set(placeKey(one.place), one);
    }
  return requested.flatMap((one) => found.get(placeKey(one)) ?? []);
}
