import { siteImportLimits as limits } from '../../../../contract/siteImport/terms';
import { fileAddress, normalPath } from '../content/paths';
import { readPage } from '../content/page';
import type { ReadPage } from '../content/page';
import { resolved } from '../content/html';
import { momentOf, textOf, keyOf } from '../content/values';
import type { Archive } from '../zip';
import { noData } from './types';
import type { Sink, SourceItem } from './types';

/** Folders of articles. */
const articles = /^(?:blog|posts?|news|articles?|journal|stories)$/i;

/** The collection of a page by its folder, if the folder has at least three pages. */
export function collectionOf(path: string, siblings: ReadonlyMap<string, number>): string {
  if (path === '/') return 'front';
  const folder = path.slice(0, path.lastIndexOf('/'));
  if (folder === '' || (siblings.get(folder) ?? 0) < 3) return 'pages';
  const name = folder.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? '';
  return articles.test(name) ? 'posts' : keyOf(name, 'pages');
}
export function siblingsOf(paths: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

/** The part of a title that the titles of all pages end with, such as ` – Company`. */
export const withoutSiteName = (title: string, siteName: string): string =>
  siteName !== '' && title.endsWith(siteName) ? title.slice(0, -siteName.length).replace(/\s*[-–—|·:_»]\s*$/, '') || title : title;

export function pageItem(page: ReadPage, address: string, path: string, collection: string): SourceItem {
  const title = textOf(withoutSiteName(page.title, page.siteName), 300) || path;
  const canonical = page.canonical === null ? null : resolved(page.canonical, address);
  const cover = page.cover === null ? null : resolved(page.cover, address);
  const seoTitle = textOf(page.seoTitle, 200);
  return {
    collection,
    source: path,
    title,
    path,
    data: {
      ...noData,
      published: true,
      values: {
        body: page.body,
        summary: textOf(page.description, 500),
        ...(collection === 'posts' && { date: momentOf(page.date) }),
        ...(cover !== null && !page.body.includes(new URL(cover).pathname) && { cover }),
      },
      seo: { title: seoTitle === title ? '' : seoTitle, description: textOf(page.description, 500) },
      base: canonical !== null && canonical.startsWith('file:') ? canonical : address,
    },
  };
}

const isPage = (name: string): boolean => /\.html?$/i.test(name);
/** The folder in which all files are, as archives of a folder have it. */
export function rootOf(names: readonly string[]): string {
  const roots = new Set(names.map((name) => name.slice(0, name.indexOf('/') + 1)));
  const [root = ''] = roots;
  return roots.size === 1 ? root : '';
}

/** Reads a website of HTML files. */
export async function readStatic(archive: Archive, sink: Sink, progress: (done: number, total: number) => Promise<void>): Promise<void> {
  const root = rootOf(archive.names);
  const pages = archive.names.filter((name) => isPage(name) && !/(?:^|\/)(?:404|50x)\.html?$/i.test(name));
  const pathOfFile = (name: string): string => normalPath(`/${name.slice(root.length)}`);
  const siblings = siblingsOf(pages.map(pathOfFile));
  for (const [at, name] of pages.entries()) {
    await progress(at, pages.length);
    if (archive.sizeOf(name) > limits.itemBytes) {
      sink.problem(name, 'item_too_large');
      continue;
    }
    const path = pathOfFile(name);
    try {
      const bytes = await archive.read(name, limits.itemBytes);
      const label = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 2048).toString('latin1'))?.[1] ?? 'utf-8';
      const page = readPage(decoded(bytes, label));
      if (path === '/') sink.site({ title: page.siteName || page.title, description: page.description, language: page.language });
      await sink.item(pageItem(page, fileAddress(name), path, collectionOf(path, siblings)));
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
      sink.problem(name, 'unreadable');
    }
  }
}

export function decoded(bytes: Buffer, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
