import { z } from 'zod';
import { pathOf } from '../content/paths';
import { momentOf, textOf } from '../content/values';
import { SourceStop } from '../zip';
import { noData } from './types';
import type { Sink } from './types';

const Text = z.string().nullish();
const Id = z.union([z.string(), z.number()]).transform(String);
const Post = z.object({
  id: Id,
  uuid: Text,
  title: Text,
  slug: Text,
  html: Text,
  type: Text,
  page: z.union([z.boolean(), z.number()]).nullish(),
  status: Text,
  feature_image: Text,
  custom_excerpt: Text,
  published_at: z.union([z.string(), z.number()]).nullish(),
  meta_title: Text,
  meta_description: Text,
});
const Named = z.object({ id: Id, slug: Text, name: Text, description: Text, bio: Text, profile_image: Text });
const Export = z.object({
  posts: z.array(Post).max(100_000),
  tags: z.array(Named).default([]),
  users: z.array(Named).default([]),
  posts_tags: z.array(z.object({ post_id: Id, tag_id: Id })).default([]),
  posts_authors: z.array(z.object({ post_id: Id, author_id: Id })).default([]),
  posts_meta: z.array(z.object({ post_id: Id, meta_title: Text, meta_description: Text })).default([]),
  settings: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]),
});

/** Rows by the post that they belong to, in their order. */
function byPost<T extends { readonly post_id: string }>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const own = found.get(row.post_id);
    if (own) own.push(row);
    else found.set(row.post_id, [row]);
  }
  return found;
}

/** The data of an export of Ghost; null if the document is none. */
function dataOf(document: unknown): unknown {
  const data = z.object({ db: z.array(z.object({ data: z.looseObject({ posts: z.unknown() }) })).min(1) }).safeParse(document);
  return data.success ? data.data.db[0]?.data : null;
}
export const isGhost = (document: unknown): boolean => dataOf(document) !== null;

/** Reads an export of Ghost. Passwords and other secrets of its users stay behind. Throws `SourceStop`. */
export async function readGhost(document: unknown, hasFiles: boolean, sink: Sink): Promise<void> {
  const read = Export.safeParse(dataOf(document));
  if (!read.success) throw new SourceStop('not_recognised');
  const { posts, tags, users, posts_tags: tagged, posts_authors: written, posts_meta: metas, settings } = read.data;
  const setting = (key: string): string => textOf(settings.find((one) => one.key === key)?.value, 300);
  sink.site({ title: setting('title'), description: setting('description'), language: setting('locale') || setting('lang') || null });
  // Addresses of the exported site begin with a placeholder.
  const root = hasFiles ? 'file:///' : 'https://source.invalid/';
  const own = (text: string): string => text.replaceAll(/__GHOST_URL__\//g, root).replaceAll('__GHOST_URL__', root);
  const used = new Set(tagged.map(({ tag_id }) => tag_id));
  for (const { id, slug, name, description } of tags)
    if (used.has(id) && !name?.startsWith('#'))
      await sink.item({
        collection: 'topics',
        source: `topic:${id}`,
        title: textOf(name, 200) || '-',
        path: `/tag/${slug ?? id}`,
        data: { ...noData, slug: slug ?? null, values: { summary: textOf(description, 500) } },
      });
  const authors = new Set(written.map(({ author_id }) => author_id));
  for (const { id, slug, name, bio, profile_image: photo } of users)
    if (authors.has(id))
      await sink.item({
        collection: 'authors',
        source: `author:${id}`,
        title: textOf(name, 200) || '-',
        path: `/author/${slug ?? id}`,
        data: { ...noData, slug: slug ?? null, base: root, values: { summary: textOf(bio, 500), ...(photo ? { photo: own(photo) } : {}) } },
      });
  const [metaOf, authorsOf, tagsOf] = [byPost(metas), byPost(written), byPost(tagged)];
  const visible = new Set(tags.filter(({ name }) => !name?.startsWith('#')).map(({ id }) => id));
  for (const post of posts) {
    const isPage = post.type === 'page' || post.page === true || post.page === 1;
    const title = textOf(post.title, 300) || '-';
    if (!post.html) sink.problem(title, 'no_html');
    const path = pathOf(`${root}${post.slug ?? post.id}`);
    const meta = metaOf.get(post.id)?.[0];
    const author = authorsOf.get(post.id)?.[0]?.author_id;
    const topics = (tagsOf.get(post.id) ?? []).flatMap(({ tag_id }) => (visible.has(tag_id) ? [`topic:${tag_id}`] : []));
    await sink.item({
      collection: isPage ? 'pages' : 'posts',
      source: post.uuid ?? post.id,
      title,
      path,
      data: {
        ...noData,
        slug: post.slug ?? null,
        published: post.status === 'published',
        values: {
          body: own(post.html ?? ''),
          summary: textOf(post.custom_excerpt, 2000),
          ...(!isPage && { date: momentOf(post.published_at) }),
          ...(post.feature_image && { cover: own(post.feature_image) }),
        },
        links: isPage ? {} : { ...(author !== undefined && { author: `author:${author}` }), ...(topics.length > 0 && { topics }) },
        seo: {
          title: textOf(post.meta_title ?? meta?.meta_title, 200),
          description: textOf(post.meta_description ?? meta?.meta_description, 500),
        },
        base: `${root}${post.slug ?? post.id}/`,
      },
    });
  }
}
