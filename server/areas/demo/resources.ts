import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { installFile, installFolder } from '../resources';
import { covers, wallpapers } from './pictures/covers';
import type { Cover } from './pictures/covers';
import { brandSheet, downloadsCsv, guidelines } from './pictures/documents';
import { film } from './pictures/film';
import { icons, logo } from './pictures/icons';
import { portraits } from './pictures/portraits';
import { authors, inLocale } from './records';
import type { Bilingual } from './records';

/** A file of the demo site. Drawings are encoded as JPEG; an SVG stays as it is. */
type DemoFile = {
  readonly name: string;
  readonly folder: Bilingual | null;
  readonly tags: readonly Bilingual[];
  readonly alt: Bilingual | null;
  /** Name of the picture that a video shows before it plays. */
  readonly poster?: string;
  readonly bytes: (ctx: Context, locale: Locale) => Promise<Uint8Array> | Uint8Array;
};
const t = (zh: string, en: string): Bilingual => ({ zh, en });

async function encode(ctx: Context, svg: string, format: 'jpeg' | 'webp'): Promise<Uint8Array> {
  const { data } = await ctx.images.variant(Buffer.from(svg), {
    isDrawing: true,
    width: 1600,
    height: 1600,
    fit: 'inside',
    focalX: 0.5,
    focalY: 0.5,
    format,
    rotation: 0,
    crop: null,
  });
  return data;
}
const folders = {
  covers: t('文章配图', 'Article covers'),
  portraits: t('作者头像', 'Portraits'),
  icons: t('图标', 'Icons'),
  downloads: t('下载', 'Downloads'),
};
const illustration = t('插画', 'illustration');
const genres: Readonly<Record<Cover['genre'], Bilingual>> = {
  landscape: t('风景', 'landscape'),
  still: t('静物', 'still life'),
  graphic: t('图形', 'graphic'),
};
const pictureOf = ({ name, alt, genre, svg }: Cover, folder: Bilingual | null): DemoFile => ({
  name,
  folder,
  tags: [illustration, genres[genre]],
  alt,
  bytes: (ctx) => encode(ctx, svg(), 'jpeg'),
});
const portraitName = (at: number): string => `${(authors[at]?.name.en ?? '').toLowerCase().replaceAll(' ', '-')}.jpg`;
const iconAlts: Readonly<Record<keyof typeof icons, Bilingual>> = {
  note: t('笔记', 'Note'),
  link: t('链接', 'Link'),
  search: t('搜索', 'Search'),
  sync: t('同步', 'Sync'),
  tag: t('标签', 'Tag'),
  lock: t('加密', 'Encrypted'),
};

const files: readonly DemoFile[] = [
  ...wallpapers.map((one) => pictureOf(one, null)),
  ...covers.flatMap((cover) => (cover ? [pictureOf(cover, folders.covers)] : [])).toReversed(),
  ...portraits.map((svg, at) => ({
    name: portraitName(at),
    folder: folders.portraits,
    tags: [t('头像', 'portrait')],
    alt: t(`${authors[at]?.name.zh ?? ''}的头像`, `Portrait of ${authors[at]?.name.en ?? ''}`),
    bytes: (ctx: Context) => encode(ctx, svg, 'jpeg'),
  })),
  ...(Object.keys(icons) as (keyof typeof icons)[]).map((name) => ({
    name: `${name}.svg`,
    folder: folders.icons,
    tags: [t('图标', 'icon')],
    alt: iconAlts[name],
    bytes: () => Buffer.from(icons[name]),
  })),
  { name: 'logo.svg', folder: null, tags: [t('品牌', 'brand')], alt: t('云杉笔记的标志', 'Logo of Yunshan Notes'), bytes: () => Buffer.from(logo) },
  {
    name: 'sailing-boat.webm',
    folder: null,
    tags: [illustration],
    alt: t('帆船在海浪上轻轻摇晃', 'A sailing boat rocking on the waves'),
    poster: 'first-sail.jpg',
    bytes: (ctx) => film((svg) => encode(ctx, svg, 'webp')),
  },
  { name: 'brand-sheet.pdf', folder: folders.downloads, tags: [t('品牌', 'brand')], alt: null, bytes: brandSheet },
  { name: 'downloads-by-version.csv', folder: folders.downloads, tags: [], alt: null, bytes: (_ctx, locale) => downloadsCsv(locale) },
  { name: 'guidelines-for-authors.md', folder: folders.downloads, tags: [], alt: null, bytes: (_ctx, locale) => guidelines(locale) },
];

/** Files that are added at a time: one is drawn while another is written to disk. */
const atOnce = 2;

/**
 * Stores the pictures and files of the demo site, in the language of its owner. `stored`: ids of those that exist, by name; `save` is called after
 * every few, so that an interrupted job continues with the next.
 */
export async function addDemoFiles(
  ctx: Context,
  { siteId, userId, locale }: { readonly siteId: string; readonly userId: string; readonly locale: Locale },
  stored: Readonly<Record<string, string>>,
  save: (stored: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const folderIds = new Map<Bilingual | null, string>();
  for (const folder of Object.values(folders)) folderIds.set(folder, await installFolder(ctx, siteId, inLocale(locale, folder)));
  let ids = stored;
  const add = async ({ name, folder, tags, alt, poster, bytes }: DemoFile): Promise<readonly [string, string]> => [
    name,
    await installFile(ctx, {
      siteId,
      createdBy: userId,
      name,
      bytes: await bytes(ctx, locale),
      folderId: folderIds.get(folder) ?? null,
      tags: tags.map((tag) => inLocale(locale, tag)),
      alt: alt ? { 'zh-Hans': alt.zh, en: alt.en } : {},
      ...(poster !== undefined && ids[poster] !== undefined && { posterOf: ids[poster] }),
    }),
  ];
  const missing = files.filter(({ name }) => stored[name] === undefined);
  for (let at = 0; at < missing.length; at += atOnce) {
    ids = { ...ids, ...Object.fromEntries(await Promise.all(missing.slice(at, at + atOnce).map(add))) };
    await save(ids);
  }
}

/** Value of a picture field: the cover of the article, or the portrait of the author, at a position. */
export const coverOf = (ids: Readonly<Record<string, string>>, at: number): readonly { readonly resource: string }[] => useOf(ids, covers[at]?.name);
export const portraitOf = (ids: Readonly<Record<string, string>>, at: number): readonly { readonly resource: string }[] => useOf(ids, portraitName(at));
const useOf = (ids: Readonly<Record<string, string>>, name: string | undefined): readonly { readonly resource: string }[] => {
  const resource = name === undefined ? undefined : ids[name];
  return resource === undefined ? [] : [{ resource }];
};
