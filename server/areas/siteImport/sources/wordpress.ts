import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { siteImportLimits as limits } from '../../../../contract/siteImport/terms';
import { paragraphs } from '../content/html';
import { pathOf } from '../content/paths';
import { keyOf, momentOf, textOf } from '../content/values';
import { SourceStop, limitedTo } from '../zip';
import { noData } from './types';
import type { Sink, SourceItem } from './types';

/** WordPress eXtended RSS, read as a stream: entities and document types are refused, and only one item is in memory. */

const mostDepth = 256;
/** Attachments that posts can name by id. */
const mostFiles = 100_000;
type Term = { readonly domain: string; readonly slug: string; readonly name: string };
type RawItem = { readonly texts: Map<string, string>; readonly terms: Term[]; readonly meta: Map<string, string> };
type Channel = { readonly authors: Map<string, string>; readonly files: Map<string, { url: string; alt: string }> };

/** Post types that are no content: parts of themes and of the editor. */
const ignoredTypes = new Set(
  'revision nav_menu_item custom_css customize_changeset oembed_cache user_request wp_block wp_template wp_template_part wp_global_styles wp_navigation wp_font_family wp_font_face acf-field acf-field-group'.split(
    ' ',
  ),
);

/** Shortcodes that have an equivalent are replaced; the others stay as text and are counted. Every expression takes linear time, whatever the text. */
function withoutShortcodes(html: string, sink: Sink): string {
  const plain = html
    .replaceAll(
      /\[caption[^\][]*\]((?:(?!\[caption)[\s\S])*?)\[\/caption\]/g,
      (_all, inner: string) => `<figure>${inner.replace(/(<img[^<>]*>(?:<\/a>)?)\s*([\s\S]*)$/, '$1<figcaption>$2</figcaption>')}</figure>`,
    )
    .replaceAll(/\[\/?(?:vc|et_pb)_[^\][]*\]/g, '')
    .replaceAll(/\[embed[^\][]*\]([^[]*)\[\/embed\]/g, '<p><a href="$1">$1</a></p>')
    // Without its end, a comment reaches to that of the text.
    .replaceAll(/<!--(?:[\s\S]*?-->|[\s\S]*$)/g, '');
  for (const [, name] of plain.matchAll(/\[([a-z][\w-]{2,40})(?:\s[^\]]{0,500})?\]/g)) if (name !== undefined) sink.unsupported(`[${name}]`);
  return plain;
}

const statusOf = (status: string): 'published' | 'draft' | null =>
  status === 'publish' ? 'published' : ['draft', 'pending', 'future', 'private'].includes(status) ? 'draft' : null;

/** A post or page as an item; null for what is no content. */
function itemOf({ texts, terms, meta }: RawItem, channel: Channel, sink: Sink): SourceItem | null {
  const text = (name: string): string => texts.get(name) ?? '';
  const type = text('wp:post_type') || 'post';
  const title = textOf(text('title'), 300);
  const status = statusOf(text('wp:status') || 'publish');
  if (type === 'attachment') {
    const url = textOf(text('wp:attachment_url'), 2000);
    if (url !== '' && channel.files.size < mostFiles) channel.files.set(text('wp:post_id'), { url, alt: textOf(meta.get('_wp_attachment_image_alt'), 500) });
    return null;
  }
  if (ignoredTypes.has(type) || status === null) return null;
  const collection = type === 'post' ? 'posts' : type === 'page' ? 'pages' : keyOf(type, 'items');
  const link = textOf(text('link'), 2000);
  const author = text('dc:creator');
  const topics = terms.filter(({ domain }) => domain === 'category' || domain === 'post_tag');
  const thumbnail = meta.get('_thumbnail_id');
  const body = withoutShortcodes(text('content:encoded'), sink);
  return {
    collection,
    source: textOf(text('guid') || link || text('wp:post_id'), 500),
    title: title || textOf(text('wp:post_name'), 300) || '-',
    path: pathOf(link),
    data: {
      ...noData,
      slug: textOf(text('wp:post_name'), 200) || null,
      published: status === 'published',
      values: {
        body: paragraphs(body),
        ...(text('excerpt:encoded') !== '' && { summary: textOf(text('excerpt:encoded').replaceAll(/<[^<>]*>/g, ' '), 2000) }),
        date: momentOf(text('wp:post_date_gmt')) ?? momentOf(text('pubDate')),
        ...(thumbnail !== undefined && { cover: `attachment:${thumbnail}` }),
      },
      links: {
        ...(collection === 'posts' && author !== '' && { author: `author:${author}` }),
        ...(collection === 'posts' && topics.length > 0 && { topics: [...new Set(topics.map(({ slug }) => `topic:${slug}`))] }),
      },
      seo: {
        title: textOf(meta.get('_yoast_wpseo_title') ?? meta.get('rank_math_title') ?? meta.get('_aioseo_title'), 200)
          .replaceAll(/%%?\w+%%?/g, '')
          .trim(),
        description: textOf(meta.get('_yoast_wpseo_metadesc') ?? meta.get('rank_math_description') ?? meta.get('_aioseo_description'), 500),
      },
      base: link || 'https://source.invalid/',
    },
  };
}

const people = (collection: 'authors' | 'topics', source: string, title: string, path: string | null): SourceItem => ({
  collection,
  source,
  title: textOf(title, 200) || '-',
  path,
  data: { ...noData, slug: source.slice(source.indexOf(':') + 1) },
});

/** What the parser has completed and the sink has not received yet. */
type Ready = ({ readonly kind: 'item'; readonly raw: RawItem } | { readonly kind: 'channel'; readonly name: string; readonly texts: Map<string, string> })[];

const attribute = (attributes: Readonly<Record<string, unknown>>, name: string): string => {
  const value = attributes[name];
  return typeof value === 'string' ? value : '';
};

function openParser(ready: Ready) {
  const parser = new SaxesParser({ position: false });
  const path: string[] = [];
  let raw: RawItem | null = null;
  let group: Map<string, string> | null = null;
  let term: { domain: string; slug: string } | null = null;
  let text = '';
  let size = 0;
  /** Characters since the parser last reported something: it holds a text until its end. */
  let unread = 0;
  let isRss = false;
  const stop = (code: string): never => {
    throw new SourceStop(code);
  };
  const count = (characters: number): void => {
    unread = 0;
    size += characters;
    if (size > limits.itemBytes) stop('item_too_large');
  };
  const add = (part: string): void => {
    count(part.length);
    text += part;
  };
  parser.on('doctype', () => stop('document_type'));
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    if (path.length > mostDepth) stop('too_deep');
    if (path.length === 1 && name === 'rss') isRss = true;
    text = '';
    if (!raw && !group) size = 0;
    count(name.length);
    if (name === 'item') [raw, size] = [{ texts: new Map(), terms: [], meta: new Map() }, 0];
    else if (/^wp:(?:author|category|tag|postmeta|term)$/.test(name)) group = new Map();
    if (raw && name === 'category') term = { domain: attribute(attributes, 'domain'), slug: attribute(attributes, 'nicename') };
  });
  parser.on('closetag', ({ name }) => {
    unread = 0;
    path.pop();
    if (raw && name === 'item') {
      ready.push({ kind: 'item', raw });
      raw = null;
    } else if (raw && name === 'wp:postmeta') {
      raw.meta.set(group?.get('wp:meta_key') ?? '', group?.get('wp:meta_value') ?? '');
      group = null;
    } else if (!raw && group && /^wp:(?:author|category|tag|term)$/.test(name)) {
      ready.push({ kind: 'channel', name, texts: group });
      group = null;
    } else if (raw && name === 'category' && term) {
      if (raw.terms.length < 500) raw.terms.push({ ...term, name: text.trim() });
      term = null;
    } else if (group) group.set(name, text.trim());
    else if (raw) raw.texts.set(name, text);
    else if (path.at(-1) === 'channel') ready.push({ kind: 'channel', name, texts: new Map([[name, text.trim()]]) });
    text = '';
  });
  const read = (part: string): void => {
    unread += part.length;
    parser.write(part);
    if (unread > limits.itemBytes) stop('item_too_large');
  };
  return { read, close: () => void parser.close(), isRss: () => isRss };
}

async function handle(entry: Ready[number], channel: Channel, sink: Sink): Promise<void> {
  if (entry.kind === 'item') {
    for (const { domain, slug, name } of entry.raw.terms)
      if (domain === 'category' || domain === 'post_tag')
        await sink.item(people('topics', `topic:${slug}`, name || slug, `/${domain === 'category' ? 'category' : 'tag'}/${slug}`));
    const creator = entry.raw.texts.get('dc:creator');
    if (creator && entry.raw.texts.get('wp:post_type') === 'post' && !channel.authors.has(creator)) {
      channel.authors.set(creator, creator);
      await sink.item(people('authors', `author:${creator}`, creator, `/author/${creator}`));
    }
    const item = itemOf(entry.raw, channel, sink);
    if (item) await sink.item(item);
    return;
  }
  const text = (name: string): string => entry.texts.get(name) ?? '';
  if (entry.name === 'title') sink.site({ title: textOf(text('title'), 120) });
  else if (entry.name === 'description') sink.site({ description: textOf(text('description'), 300) });
  else if (entry.name === 'language') sink.site({ language: text('language') });
  else if (entry.name === 'link') sink.site({ url: text('link') });
  else if (entry.name === 'wp:author') {
    const login = text('wp:author_login');
    channel.authors.set(login, text('wp:author_display_name'));
    await sink.item(people('authors', `author:${login}`, text('wp:author_display_name') || login, `/author/${login}`));
  }
}

/** Reads an export of WordPress, compressed or not. A file that breaks off gives what it has, and a problem. Throws `SourceStop`. */
export async function readWordpress(
  stream: Readable,
  packed: boolean,
  sink: Sink,
  progress: (done: number) => Promise<void>,
): Promise<ReadonlyMap<string, { url: string; alt: string }>> {
  const source = packed ? stream.pipe(createGunzip()) : stream;
  stream.on('error', (error) => source.destroy(error));
  const input = source.pipe(limitedTo(limits.unpackedBytes));
  source.on('error', (error) => input.destroy(error));
  const decoder = new TextDecoder();
  const ready: Ready = [];
  const channel: Channel = { authors: new Map(), files: new Map() };
  const { read, close, isRss } = openParser(ready);
  let items = 0;
  let last = '';
  const drain = async (): Promise<void> => {
    for (const entry of ready.splice(0)) {
      await handle(entry, channel, sink);
      if (entry.kind === 'item') [items, last] = [items + 1, entry.raw.texts.get('title') ?? ''];
    }
    await progress(items);
  };
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      read(decoder.decode(chunk, { stream: true }));
      await drain();
    }
    close();
    await drain();
  } catch (error) {
    if (error instanceof SourceStop) throw error;
    const isSyntax = error instanceof Error && !('code' in error) && error.constructor === Error;
    const broke = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    if (!isSyntax && !broke) throw error;
    await drain();
    if (!isRss() || items === 0) throw new SourceStop('damaged');
    sink.problem(textOf(last, 200), 'broke_off');
  } finally {
    stream.destroy();
  }
  if (!isRss()) throw new SourceStop('not_recognised');
  return channel.files;
}
