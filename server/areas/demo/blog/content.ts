import type { Locale } from '../../../http/access';
import { portraits } from '../../../kit/pictures/portraits';
import { blogStarter } from '../../starters';
import type { StarterCollection, StarterContent, StarterPicture, Writing } from '../../starters';
import { covers } from '../pictures/covers';
import { articles, authors, bodyOf, inLocale } from '../records';
import type { Bilingual, DemoArticle } from '../records';

/** The demo's blog: the starter with articles, authors and pictures of the demo site, in the language of its owner, most of it translated. */

const postSlugs = ['meeting-notes', 'sorted-columns', 'bookshelf', 'mountain-lake', 'markdown-table', 'two-devices'] as const;
/** Not translated yet, so that there is something to do. */
const untranslated: ReadonlySet<string> = new Set(['two-devices']);

type Post = { readonly slug: string; readonly article: DemoArticle; readonly picture: StarterPicture };

function postsOf(locale: Locale): Post[] {
  return postSlugs.flatMap((slug): Post[] => {
    const at = covers.findIndex((cover) => cover?.name === `${slug}.jpg`);
    const [cover, article] = [covers[at], articles[at]];
    return cover && article ? [{ slug, article, picture: { name: cover.name, alt: cover.alt ? inLocale(locale, cover.alt) : '', svg: cover.svg } }] : [];
  });
}

const writers = authors.slice(0, 3);
const writerSlugs = ['lin-zhiyuan', 'su-wanqing', 'zhou-zhihe'];
const other = (locale: Locale): Locale => (locale === 'en' ? 'zh-CN' : 'en');
/** Languages of the blog, beginning with its default one. */
export const blogLanguages = (locale: Locale): [string, string] => (locale === 'en' ? ['en', 'zh-Hans'] : ['zh-Hans', 'en']);

const paragraphs = (text: string): string =>
  text
    .split('\n\n')
    .map((one) => `<p>${one}</p>`)
    .join('');
const textsIn = (locale: Locale, article: DemoArticle) => ({
  title: inLocale(locale, article.title),
  summary: inLocale(locale, article.summary),
  body: paragraphs(inLocale(locale, bodyOf(article))),
});

export const blogAbout: { readonly title: Bilingual; readonly summary: Bilingual; readonly body: Bilingual } = {
  title: { zh: '关于', en: 'About' },
  summary: { zh: '云杉手记的作者和由来。', en: 'Who writes the Yunshan blog, and why.' },
  body: {
    zh: '云杉手记由云杉笔记的编辑部和产品组撰写，每周更新一次。\n\n这个网站由演示程序生成，内容和访问都是虚构的。',
    en: 'Editors and makers of Yunshan Notes write here once a week.\n\nThis site is generated for demonstration: texts and visits are invented.',
  },
};

function replaced(collection: StarterCollection, locale: Locale, posts: readonly Post[], daysAgo: Writing['daysAgo']): StarterCollection {
  const locales = blogLanguages(locale);
  if (collection.key === 'posts')
    return {
      ...collection,
      locales,
      records: posts.map(({ slug, article, picture }) => ({
        slug,
        values: { ...textsIn(locale, article), date: daysAgo(Math.max(1, article.daysAgo)) },
        ...(!untranslated.has(slug) && { translations: textsIn(other(locale), article) }),
        pictures: { cover: picture.name },
        links: { author: article.author % writers.length, topics: [article.category === 'guide' ? 1 : 0] },
      })),
    };
  if (collection.key === 'authors')
    return {
      ...collection,
      locales,
      records: writers.map(({ name, role }, at) => ({
        slug: writerSlugs[at] ?? '',
        values: { title: inLocale(locale, name), summary: inLocale(locale, role) },
        translations: { title: inLocale(other(locale), name), summary: inLocale(other(locale), role) },
        pictures: { photo: `${writerSlugs[at] ?? ''}.jpg` },
      })),
    };
  if (collection.key === 'pages') {
    const textsOf = (one: Locale) => ({
      title: inLocale(one, blogAbout.title),
      summary: inLocale(one, blogAbout.summary),
      body: paragraphs(inLocale(one, blogAbout.body)),
    });
    return { ...collection, locales, records: [{ slug: 'about', values: textsOf(locale), translations: textsOf(other(locale)) }] };
  }
  return collection;
}

export const blogTitle: Bilingual = { zh: '云杉手记', en: 'Yunshan blog' };
export const blogTagline: Bilingual = { zh: '把想法写下来，也找得到', en: 'Thoughts written down, and found again' };

export function blogContent(locale: Locale, daysAgo: Writing['daysAgo']): StarterContent {
  const say = (zh: string, en: string): string => inLocale(locale, { zh, en });
  const starter = blogStarter({ say, name: inLocale(locale, blogTitle), daysAgo });
  const posts = postsOf(locale);
  return {
    ...starter,
    tagline: inLocale(locale, blogTagline),
    settings: { about: inLocale(locale, blogAbout.summary) },
    pictures: [
      ...posts.map(({ picture }) => picture),
      ...writers.map(({ name }, at) => ({ name: `${writerSlugs[at] ?? ''}.jpg`, alt: inLocale(locale, name), svg: () => portraits[at] ?? '' })),
    ],
    collections: starter.collections.map((one) => replaced(one, locale, posts, daysAgo)),
  };
}

/** Pages of the blog that its generated visitors open, with the titles that they have in the default language. */
export const blogPages = (locale: Locale): readonly { readonly path: string; readonly title: string }[] => [
  { path: '/', title: inLocale(locale, blogTitle) },
  ...postsOf(locale).map(({ slug, article }) => ({ path: `/posts/${slug}`, title: inLocale(locale, article.title) })),
  { path: '/about', title: inLocale(locale, blogAbout.title) },
  { path: '/archive', title: inLocale(locale, { zh: '归档', en: 'Archive' }) },
];
