import { marked } from 'marked';
import { parse as parseYaml } from 'yaml';
import { siteImportLimits as limits } from '../../../../contract/siteImport/terms';
import { fileAddress, normalPath } from '../content/paths';
import { resolved } from '../content/html';
import { keyOf, momentOf, textOf, textsOf } from '../content/values';
import type { Archive } from '../zip';
import { rootOf } from './pages';
import { noData } from './types';
import type { Sink, SourceItem } from './types';

type Matter = Readonly<Record<string, unknown>>;

/** `key = "value"` lines of TOML, as Hugo writes them: texts, numbers, booleans, dates and lists of texts. */
function simpleToml(text: string): Matter {
  const entries = text.split('\n').flatMap((line): [string, unknown][] => {
    const [, key, value = ''] = /^([\w-]+)\s*=\s*(.+)$/.exec(line.trim()) ?? [];
    if (key === undefined) return [];
    const list = /^\[(.*)\]$/.exec(value)?.[1];
    const plain = (part: string): unknown => {
      const inner = /^(["'])(.*)\1$/.exec(part.trim())?.[2];
      return inner ?? (part.trim() === 'true' ? true : part.trim() === 'false' ? false : part.trim());
    };
    return [
      [
        key.toLowerCase(),
        list === undefined
          ? plain(value)
          : list
              .split(',')
              .map(plain)
              .filter((part) => part !== ''),
      ],
    ];
  });
  return Object.fromEntries(entries);
}

/** Front matter and text of a Markdown file. Throws `SyntaxError` or an error of YAML if the front matter cannot be read. */
export function frontMatter(text: string): { readonly matter: Matter; readonly body: string } {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const [whole, fence, inner = ''] = /^(---|\+\+\+)\n([\s\S]*?)\n\1[ \t]*(?:\n|$)/.exec(plain) ?? [];
  if (whole === undefined) return { matter: {}, body: plain };
  const value: unknown = fence === '---' ? parseYaml(inner, { maxAliasCount: 0, prettyErrors: false, schema: 'core', uniqueKeys: false }) : simpleToml(inner);
  const matter = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Matter) : {};
  return { matter: Object.fromEntries(Object.entries(matter).map(([key, part]) => [key.toLowerCase(), part])), body: plain.slice(whole.length) };
}

/** Folders that generators put around content. */
const outer = /^(?:content|src|source|pages|docs|site)\//i;

/** Where the file was delivered, as far as its name says. */
function placeOf(name: string): { readonly collection: string; readonly path: string; readonly date: string | null } {
  const inner = name
    .replace(outer, '')
    .replace(/^(?:_posts|post)\//i, 'posts/')
    .replace(/^_drafts\//i, 'posts/')
    .replace(/^_/, '');
  const [, date = null, rest = ''] = /(?:^|\/)(?:(\d{4}-\d{2}-\d{2})-)?([^/]+)\.(?:md|markdown|mdx)$/i.exec(inner) ?? [];
  const folder = inner.includes('/') ? inner.slice(0, inner.lastIndexOf('/')) : '';
  const isIndex = /^_?(?:index|readme)$/i.test(rest);
  const path = normalPath(`/${[folder, isIndex ? '' : rest].filter((part) => part !== '').join('/')}`);
  const first = (isIndex && !folder.includes('/') ? '' : folder).split('/', 1)[0] ?? '';
  const collection = path === '/' ? 'front' : first === '' ? 'pages' : /^(?:posts?|blog|news|articles?)$/i.test(first) ? 'posts' : keyOf(first, 'pages');
  return { collection, path, date };
}

function itemOf(name: string, text: string, root: string): { readonly item: SourceItem; readonly people: readonly SourceItem[] } {
  const { matter, body } = frontMatter(text);
  const place = placeOf(name.slice(root.length));
  const get = (...keys: readonly string[]): unknown => keys.map((key) => matter[key]).find((value) => value !== undefined && value !== null);
  const html = marked.parse(body, { async: false, gfm: true });
  const address = fileAddress(name);
  const [, heading] = /^#\s+(.+)$/m.exec(body) ?? [];
  const title = textOf(get('title'), 300) || textOf(heading, 300) || (place.path.split('/').at(-1) ?? name);
  const url = textOf(get('url', 'permalink'), 500);
  const path = url.startsWith('/') && !url.includes(':') ? normalPath(url) : place.path;
  const cover = textOf(get('cover', 'image', 'featured_image', 'thumbnail', 'banner', 'hero'), 1000);
  const isPost = place.collection === 'posts';
  const topics = isPost ? [...new Set([...textsOf(get('tags')), ...textsOf(get('categories', 'category'))])] : [];
  const author = isPost ? (textsOf(get('author', 'authors'))[0] ?? '') : '';
  const link = (collection: 'topics' | 'authors', label: string): SourceItem => ({
    collection,
    source: `${collection === 'topics' ? 'topic' : 'author'}:${label}`,
    title: label,
    path: null,
    data: noData,
  });
  const item: SourceItem = {
    collection: place.collection,
    source: name.slice(root.length),
    title,
    path,
    data: {
      ...noData,
      slug: textOf(get('slug'), 200) || null,
      published: get('draft') !== true && get('published') !== false && !/(?:^|\/)_drafts\//i.test(name),
      values: {
        // The title of the record shows it already.
        body: get('title') === undefined ? html.replace(/^\s*<h1[^>]*>[\s\S]*?<\/h1>/, '') : html,
        summary: textOf(get('description', 'summary', 'excerpt', 'subtitle'), 1000),
        ...(isPost && { date: momentOf(get('date', 'pubdate', 'published_at')) ?? momentOf(place.date) }),
        ...(cover !== '' && { cover: resolved(cover.startsWith('/') ? `file:///${root}${cover.slice(1)}` : cover, address) }),
      },
      links: { ...(author !== '' && { author: `author:${author}` }), ...(topics.length > 0 && { topics: topics.map((one) => `topic:${one}`) }) },
      seo: { title: textOf(get('seo_title', 'meta_title'), 200), description: textOf(get('meta_description', 'description'), 500) },
      base: address,
      aliases: [...textsOf(get('aliases', 'redirect_from', 'alias'))].filter((one) => one.startsWith('/')).map(normalPath),
    },
  };
  return { item, people: [...topics.map((one) => link('topics', one)), ...(author === '' ? [] : [link('authors', author)])] };
}

/** Reads the Markdown files of Hugo, Hexo, Jekyll, Astro and the like. */
export async function readMarkdown(archive: Archive, sink: Sink, progress: (done: number, total: number) => Promise<void>): Promise<void> {
  const root = rootOf(archive.names);
  const names = archive.names.filter((name) => /\.(?:md|markdown|mdx)$/i.test(name) && !/(?:^|\/)(?:node_modules|themes|\.github)\//.test(name));
  for (const [at, name] of names.entries()) {
    await progress(at, names.length);
    if (archive.sizeOf(name) > limits.itemBytes) {
      sink.problem(name, 'item_too_large');
      continue;
    }
    try {
      const { item, people } = itemOf(name, (await archive.read(name, limits.itemBytes)).toString('utf8'), root);
      if (item.collection === 'front') sink.site({ title: item.title, description: textOf(item.data.values['summary'], 300) });
      for (const one of people) await sink.item(one);
      await sink.item(item);
    } catch (error) {
      if (!(error instanceof Error) || !/YAML|Syntax|RangeError|ReferenceError/.test(`${error.name} ${error.constructor.name}`)) throw error;
      sink.problem(name, 'front_matter');
    }
  }
}
