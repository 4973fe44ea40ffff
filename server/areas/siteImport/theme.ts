import type { ThemeManifest } from '../../../contract/publishing/theme';
import type { ImportCollection } from '../../../contract/siteImport/schemas';
import { plainTheme } from '../publishing';
import type { ThemeChange } from '../publishing';

/** A plain theme for whatever was imported: a list and a page for each collection. Its names are those of the shipped blog theme, so that the site can change to that one. */

type Label = Readonly<Record<string, string>>;
const both = (zh: string, en: string): Label => ({ 'zh-Hans': zh, en });
const own = (title: string): Label => ({ 'zh-Hans': title, en: title });

const themeTypes: Readonly<Record<string, ThemeManifest['collections'][string]['fields'][string]['type']>> = {
  longText: 'text',
  richText: 'rich_text',
  datetime: 'date',
  date: 'date',
  image: 'image',
  number: 'number',
  integer: 'number',
  currency: 'money',
  percent: 'number',
  switch: 'boolean',
  tags: 'tags',
  url: 'link',
  relation: 'record',
  relations: 'records',
};
const targets: Readonly<Record<string, string>> = { author: 'authors', topics: 'topics' };
/** Fields that templates place themselves. */
const placed = new Set(['title', 'summary', 'cover', 'photo', 'body', 'date', 'author', 'topics']);

/** Keys of templates may not contain what collections may. */
const listTemplate = (key: string): string => `${key.slice(0, 34)}_list`;

const css = `:root { color-scheme: light dark; --accent: {{ settings.accent }}; }
* { box-sizing: border-box; }
body { margin: 0; font: 1.0625rem/1.7 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 46rem; margin-inline: auto; padding: 1.5rem; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: baseline; }
.name { font-weight: 600; text-decoration: none; color: inherit; }
nav { display: flex; flex-wrap: wrap; gap: 1rem; margin-inline-start: auto; }
a { color: var(--accent); }
h1 { line-height: 1.25; text-wrap: balance; }
img { max-width: 100%; height: auto; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
td, th { border: 1px solid #8884; padding: 0.25rem 0.5rem; text-align: start; }
pre { overflow-x: auto; }
.entries { list-style: none; padding: 0; }
.entries li { margin-block: 1.25rem; }
.meta { opacity: 0.75; font-size: 0.9em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dd { margin: 0; }
`;
const entries = (
  name: string,
): string => `<ul class="entries">{% for item in ${name} %}<li>{% if item.url %}<a href="{{ item.url }}">{{ item.title }}</a>{% else %}{{ item.title }}{% endif %}{% if item.date %} <span class="meta">{{ item.date | format_date: 'medium' }}</span>{% endif %}{% if item.summary %}<br>{{ item.summary }}{% endif %}</li>{% endfor %}</ul>
`;
const page = (main: string): string => `{% layout 'layouts/base' %}
{% block main %}
${main}{% endblock %}
`;
/** The value of a field that no template places itself. */
const rendered = ({ key, type }: ImportCollection['fields'][number]): string => {
  const name = `record.${key}`;
  if (type === 'image') return `{{ ${name} | image: sizes: '46rem' }}`;
  if (type === 'richText') return `{{ ${name} | html }}`;
  if (type === 'date' || type === 'datetime') return `{{ ${name} | format_date: 'long' }}`;
  if (type === 'currency') return `{{ ${name} | format_money }}`;
  if (type === 'tags') return `{{ ${name} | join: ', ' }}`;
  return type === 'switch' ? '✓' : `{{ ${name} }}`;
};
const recordTemplate = ({ fields }: ImportCollection): string => {
  const extra = fields.filter(({ key }) => !placed.has(key));
  const rows = extra
    .map((field) => `{% if record.${field.key} %}<dt>${field.title.replaceAll(/[{}<>&%]/g, ' ')}</dt><dd>${rendered(field)}</dd>{% endif %}\n`)
    .join('');
  const has = (key: string): boolean => fields.some((field) => field.key === key);
  return page(`<article>
<h1>{{ record.title }}</h1>
${has('date') || has('author') ? `<p class="meta">{% if record.date %}{{ record.date | format_date: 'long' }}{% endif %}${has('author') ? ' {% if record.author %}{{ record.author.title }}{% endif %}' : ''}</p>\n` : ''}${has('cover') ? "{% if record.cover[0] %}<p>{{ record.cover | image: loading: 'eager', sizes: '46rem' }}</p>{% endif %}\n" : ''}${extra.length > 0 ? `<dl>\n${rows}</dl>\n` : ''}${has('body') ? '{{ record.body | html }}\n' : ''}${has('topics') ? '{% if record.topics[0] %}<p class="meta">{% for item in record.topics %}{% if item.url %}<a href="{{ item.url }}">{{ item.title }}</a>{% else %}{{ item.title }}{% endif %} {% endfor %}</p>{% endif %}\n' : ''}</article>
`);
};

function manifestOf(collections: readonly ImportCollection[]): Record<string, unknown> {
  const keys = new Set(collections.map(({ key }) => key));
  const listed = collections.filter(({ key }) => !['front', 'pages', 'authors', 'topics'].includes(key));
  const home: Record<string, unknown> = {
    ...(keys.has('front') && { front: { collection: 'front', limit: 1, ...(hasField(collections, 'front', 'body') && { fields: ['title', 'body'] }) } }),
    ...Object.fromEntries(listed.slice(0, 5).map(({ key }) => [key, { collection: key, limit: 20 }])),
    ...(listed.length === 0 && !keys.has('front') && keys.has('pages') && { pages: { collection: 'pages', limit: 50 } }),
  };
  return {
    format: 1,
    name: both('导入的网站', 'Imported website'),
    version: '1.0.0',
    menus: { main: both('主导航', 'Main menu') },
    settings: [{ key: 'accent', type: 'color', label: both('主色', 'Accent colour'), default: '#1746d1' }],
    collections: Object.fromEntries(
      collections.map(({ key, title, fields }) => [
        key,
        {
          title: own(title),
          fields: {
            title: { type: 'text', label: both('标题', 'Title'), required: true },
            ...Object.fromEntries(
              fields
                .filter((field) => field.key !== 'title' && (targets[field.key] === undefined || keys.has(targets[field.key] ?? '')))
                .slice(0, 38)
                .map((field) => [
                  field.key,
                  { type: themeTypes[field.type] ?? 'text', label: own(field.title), ...(targets[field.key] !== undefined && { of: targets[field.key] }) },
                ]),
            ),
          },
        },
      ]),
    ),
    templates: {
      home: { label: both('首页', 'Home'), data: home },
      not_found: { label: both('找不到页面', 'Page not found') },
      ...Object.fromEntries(
        collections
          .filter(({ key }) => key !== 'front')
          .flatMap(({ key, title }) => [
            [
              key,
              {
                label: own(title),
                for: key,
                shows: 'record',
                ...((key === 'topics' || key === 'authors') &&
                  hasField(collections, 'posts', key === 'topics' ? 'topics' : 'author') && {
                    data: { posts: { collection: 'posts', limit: 100, by: key === 'topics' ? 'topics' : 'author' } },
                  }),
              },
            ],
            ...(key === 'pages' ? [] : [[listTemplate(key), { label: own(title), for: key, shows: 'list' }]]),
          ]),
      ),
    },
  };
}
const hasField = (collections: readonly ImportCollection[], key: string, field: string): boolean =>
  collections.some((one) => one.key === key && one.fields.some((other) => other.key === field));

/** The theme for the collections that are imported, with the titles that a person chose. */
export function importedTheme(collections: readonly ImportCollection[]): ThemeChange['files'] {
  const listed = collections.filter(({ key }) => !['front', 'pages', 'authors', 'topics'].includes(key)).slice(0, 5);
  const front = hasField(collections, 'front', 'body') ? '{% if front[0].body %}{{ front[0].body | html }}{% endif %}\n' : '';
  const lists = listed.map(({ key, title }) => `{% if ${key}[0] %}<h2>${title.replaceAll(/[{}<>&%]/g, ' ')}</h2>\n${entries(key)}{% endif %}\n`).join('');
  const files: Record<string, string> = {
    'theme.json': `${JSON.stringify(manifestOf(collections), null, 2)}\n`,
    'assets/theme.css.liquid': css,
    'templates/home.liquid': page(
      `<h1>{{ site.title }}</h1>\n{% if site.tagline %}<p>{{ site.tagline }}</p>{% endif %}\n${front}${lists}${front === '' && lists === '' ? entries('pages') : ''}`,
    ),
  };
  for (const one of collections) {
    if (one.key === 'front') continue;
    const hasPosts = (one.key === 'topics' && hasField(collections, 'posts', 'topics')) || (one.key === 'authors' && hasField(collections, 'posts', 'author'));
    files[`templates/${one.key}.liquid`] = hasPosts
      ? page(`<h1>{{ record.title }}</h1>\n{% if record.summary %}<p>{{ record.summary }}</p>{% endif %}\n${entries('posts')}`)
      : recordTemplate(one);
    if (one.key !== 'pages')
      files[`templates/${listTemplate(one.key)}.liquid`] = page(
        `<h1>{{ page.title | default: site.title }}</h1>\n${entries('records')}{% if page.previous %}<a rel="prev" href="{{ page.previous }}">←</a>{% endif %} {% if page.next %}<a rel="next" href="{{ page.next }}">→</a>{% endif %}\n`,
      );
  }
  return plainTheme(files);
}
