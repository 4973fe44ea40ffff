import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ThemeManifest } from '../../contract/publishing/theme';
import { shippedTheme } from '../../server/areas/publishing/themes/shipped';
import { createMarks, insertAtMarks } from '../../server/kit/templates/marks';
import type { RenderPool, ThemeFiles } from '../../server/kit/templates/renderPool';
import { templateRichText } from '../../server/kit/templates/richText';
import { themeTexts } from '../../server/kit/templates/texts';

/** Renders the shipped themes with the content of an imagined site, as the delivery of a site does. */

export const themeNames = ['company', 'blog', 'docs'] as const;
export type ThemeName = (typeof themeNames)[number];
export const contentLanguages = ['zh-Hans', 'en', 'ar'] as const;
export type ContentLanguage = (typeof contentLanguages)[number];
/** `full`: every field has a value; `sparse`: only required fields, no menus, no settings; `empty`: no records, and a record without a title. */
export const amounts = ['full', 'sparse', 'empty'] as const;
export type Amount = (typeof amounts)[number];

type Fields = Readonly<Record<string, unknown>>;
type MenuEntry = { readonly title: string; readonly url: string; readonly items?: readonly MenuEntry[] };
type Content = {
  readonly site: Fields;
  readonly settings: Fields;
  readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
  readonly collections: Readonly<Record<string, readonly Fields[]>>;
  /** Titles of lists and of templates with an address of their own. */
  readonly titles: Readonly<Record<string, string>>;
  /** The rich text of every record. */
  readonly body: string;
};

export type Theme = {
  readonly name: ThemeName;
  readonly files: ThemeFiles;
  readonly manifest: ThemeManifest;
  readonly content: Readonly<Record<ContentLanguage, Content>>;
};

export async function readTheme(name: ThemeName): Promise<Theme> {
  const files = Object.fromEntries([...(await shippedTheme(name))].map(([path, { content }]) => [path, String(content)]));
  return {
    name,
    files,
    manifest: ThemeManifest.parse(JSON.parse(files['theme.json'] ?? '')),
    content: JSON.parse(readFileSync(join(import.meta.dirname, 'content', `${name}.json`), 'utf8')) as Theme['content'],
  };
}

const ratios: Readonly<Record<string, readonly [number, number]>> = { portrait: [800, 1000], logo: [320, 72] };

/** `landscape:3|Alternative text` → the first file of a field, as the delivery describes it. */
function pictureOf(text: string): object {
  const [picture = '', alt = ''] = text.split('|');
  const [kind = '', seed = ''] = picture.split(':');
  const [width, height] = ratios[kind] ?? [1600, 1000];
  const url = (size: number) => `/_r/${kind}-${encodeURIComponent(seed)}-${String(size)}.webp`;
  const sizes = kind === 'logo' ? [] : [480, 960, 1600].filter((size) => size <= width);
  return { url: url(width), srcset: sizes.map((size) => `${url(size)} ${String(size)}w`).join(', '), width, height, alt, color: '#888888' };
}

/** Record without its rich text: what a list and a link contain. */
const isRichText = (value: unknown): boolean => typeof value === 'object' && value !== null && 'headings' in value;

class Records {
  readonly #theme: Theme;
  readonly #content: Content;
  readonly #amount: Amount;
  constructor(theme: Theme, content: Content, amount: Amount) {
    this.#theme = theme;
    this.#content = content;
    this.#amount = amount;
  }

  #urlOf(collection: string, at: number): string {
    return `/${collection}/${String(at + 1)}`;
  }

  #linksTo(collection: string, titles: readonly string[]): object[] {
    return titles.map((title) => {
      const at = (this.#content.collections[collection] ?? []).findIndex((one) => one.title === title);
      const record = this.#content.collections[collection]?.[at] ?? {};
      const { photo, role, summary } = record;
      return {
        id: `${collection}-${String(at)}`,
        title,
        url: this.#urlOf(collection, at),
        role,
        summary,
        ...(typeof photo === 'string' ? { photo: [pictureOf(photo)] } : {}),
      };
    });
  }

  #valueOf(type: string, of: string | undefined, value: unknown): unknown {
    if (type === 'records' && Array.isArray(value)) return this.#linksTo(of ?? '', value as string[]);
    if (typeof value !== 'string') return value ?? null;
    if (type === 'image') return [pictureOf(value)];
    if (type === 'rich_text') return templateRichText(value === 'BODY' ? this.#content.body : value);
    return type === 'record' ? this.#linksTo(of ?? '', [value])[0] : value;
  }

  of(collection: string): Fields[] {
    if (this.#amount === 'empty') return [];
    const fields = Object.entries(this.#theme.manifest.collections[collection]?.fields ?? {});
    return (this.#content.collections[collection] ?? []).map((record, at) => ({
      id: `${collection}-${String(at)}`,
      url: this.#urlOf(collection, at),
      published_at: this.#amount === 'full' ? `2026-${String(11 - Math.min(at, 10)).padStart(2, '0')}-1${String(at % 9)}T08:30:00Z` : null,
      updated_at: this.#amount === 'full' ? '2026-11-20T10:00:00Z' : null,
      ...Object.fromEntries(
        fields.map(([key, field]) => [key, this.#amount === 'full' || field.required ? this.#valueOf(field.type, field.of, record[key]) : null]),
      ),
    }));
  }

  /** A list as a template declares it. */
  list(list: ThemeManifest['templates'][string]['data'][string], record: Fields | null): Fields[] {
    const { collection, limit, except, by, same, fields } = list;
    const idsOf = (value: unknown): unknown[] => [value].flat().map((one) => (typeof one === 'object' && one !== null && 'id' in one ? one.id : one));
    const sharesValue = (one: Fields, key: string): boolean => idsOf(one[key]).some((id) => id !== null && idsOf(record?.[key]).includes(id));
    return this.of(collection)
      .filter(
        (one) =>
          (except === undefined || one.id !== record?.id) &&
          (by === undefined || idsOf(one[by]).includes(record?.id)) &&
          (same === undefined || sharesValue(one, same)),
      )
      .slice(0, limit)
      .map((one) =>
        Object.fromEntries(
          Object.entries(one).filter(([key, value]) => (fields ? ['id', 'url', 'published_at', 'updated_at', ...fields].includes(key) : !isRichText(value))),
        ),
      );
  }
}

/** Files of `assets` with their addresses; `x.css.liquid` is delivered as `x.css`. */
const assetsOf = (theme: Theme): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(theme.files)
      .filter((path) => path.startsWith('assets/'))
      .map((path) => path.slice('assets/'.length).replace(/\.liquid$/, ''))
      .map((path) => [path, `/_t/${theme.name}/${path}`]),
  );

function settingsOf(theme: Theme, content: Content, amount: Amount): Fields {
  return Object.fromEntries(
    theme.manifest.settings.map(({ key, type, default: usual }) => {
      const value = amount === 'full' ? (content.settings[key] ?? usual) : amount === 'sparse' ? usual : null;
      return [key, type === 'image' && typeof value === 'string' ? [pictureOf(value)] : value];
    }),
  );
}

const names: Readonly<Record<ContentLanguage, string>> = { 'zh-Hans': '简体中文', en: 'English', ar: 'العربية' };
const dirOf = (language: string) => (language === 'ar' ? 'rtl' : 'ltr');
const withActive = (entries: readonly MenuEntry[], path: string): object[] =>
  entries.map((entry) => ({ ...entry, active: entry.url === path, items: withActive(entry.items ?? [], path) }));

function siteOf(content: Content, language: ContentLanguage, amount: Amount): Fields {
  const base = {
    title: amount === 'empty' ? 'example.com' : content.site.title,
    language,
    url: '/',
    time_zone: 'Asia/Shanghai',
    search_url: '/search',
    feed_url: '/feed.xml',
  };
  const languages = contentLanguages.map((one) => ({ language: one, name: names[one], url: `/${one}`, dir: dirOf(one), active: one === language }));
  return amount === 'full' ? { ...content.site, ...base, languages } : { ...base, languages: languages.filter(({ active }) => active), contact: {} };
}

/** Everything that a template receives. */
export function templateData(theme: Theme, template: string, language: ContentLanguage, amount: Amount): Fields {
  const content = theme.content[language];
  const declared = theme.manifest.templates[template];
  if (!declared) throw new Error(`${theme.name} has no template ${template}`);
  const records = new Records(theme, content, amount);
  const own = declared.for === undefined ? [] : records.of(declared.for);
  const record = declared.shows === 'record' ? (own[0] ?? { id: 'none', url: '/none', title: '' }) : null;
  const path = template === 'home' ? '/' : record ? String(record.url) : `/${template}`;
  const all = Object.keys(theme.manifest.collections).flatMap((key) =>
    records.of(key).map(({ id, title, url, summary }) => ({ id, title, url, excerpt: summary, collection: content.titles[key] })),
  );
  const shows: Fields = record
    ? { record }
    : declared.shows === 'list'
      ? { records: own.map((one) => ({ ...one, body: null })) }
      : template === 'search'
        ? { records: all.slice(0, 6) }
        : {};
  const title = record?.title ?? content.titles[template] ?? null;
  const isPaged = amount === 'full' && (declared.shows === 'list' || template === 'search');
  return {
    ...Object.fromEntries(Object.entries(declared.data).map(([key, list]) => [key, records.list(list, record)])),
    ...shows,
    site: siteOf(content, language, amount),
    page: {
      title: amount === 'empty' ? null : title,
      description: null,
      path,
      url: `https://example.com${path}`,
      language,
      dir: dirOf(language),
      template,
      number: 1,
      pages: isPaged ? 3 : 1,
      total: all.length,
      previous: null,
      next: isPaged ? `${path}/page/2` : null,
      query: template === 'search' && amount !== 'empty' ? all[0]?.title : null,
      breadcrumbs:
        amount === 'full' && record && content.titles[declared.for ?? '']
          ? [
              { title: content.site.title, url: '/' },
              { title: content.titles[declared.for ?? ''] ?? title, url: `/${declared.for ?? ''}` },
              { title, url: path },
            ]
          : [],
    },
    settings: settingsOf(theme, content, amount),
    collections:
      amount === 'full'
        ? Object.fromEntries(
            Object.keys(theme.manifest.collections).map((key) => [key, { title: content.titles[key] ?? null, url: content.titles[key] ? `/${key}` : null }]),
          )
        : {},
    menus: amount === 'full' ? Object.fromEntries(Object.entries(content.menus).map(([key, entries]) => [key, withActive(entries, path)])) : {},
    texts: themeTexts(theme.files, language),
    assets: assetsOf(theme),
  };
}

/** HTML of a page with what the program inserts. `change`: replaces the data. */
export async function renderPage(
  pool: RenderPool,
  theme: Theme,
  template: string,
  language: ContentLanguage,
  amount: Amount,
  change = (data: Fields): Fields => data,
): Promise<string> {
  const marks = createMarks();
  const data = templateData(theme, template, language, amount);
  const html = await pool.render({
    theme: theme.name,
    files: () => Promise.resolve(theme.files),
    template: `templates/${template}`,
    data: { ...change(data), ...marks },
  });
  const title = String((data.page as Fields).title ?? (data.site as Fields).title).replaceAll('&', '&amp;');
  return insertAtMarks(html, marks, {
    head: `<title>${title}</title><meta name="description" content="Description">`,
    footer: language === 'zh-Hans' && amount === 'full' ? '<p><a href="https://beian.miit.gov.cn/">苏ICP备2026000001号-1</a></p>' : '',
  });
}

/** A style sheet of `assets`, with the settings of the site. */
export async function renderStyles(pool: RenderPool, theme: Theme, changes: Fields = {}): Promise<string> {
  const settings = { ...settingsOf(theme, theme.content.en, 'full'), ...changes };
  return pool.render({ theme: theme.name, files: () => Promise.resolve(theme.files), template: 'assets/settings.css', data: { settings } });
}
