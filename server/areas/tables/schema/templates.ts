import type { z } from 'zod';
import { FieldInput } from '../../../../contract/tables/schemas';
import type { FieldInput as Given, TableInput } from '../../../../contract/tables/schemas';
import type { Locale } from '../../../http/access';
import type { Input } from './prepare';

type Template = NonNullable<z.output<typeof TableInput>['template']>;
type BilingualText = { readonly zh: string; readonly en: string };
const w = (zh: string, en: string): BilingualText => ({ zh, en });

/** A field with titles in both languages; choices as `[id, titles, colour]`. */
type Part = Omit<Given, 'title' | 'help'> & {
  readonly key: string;
  readonly title: BilingualText;
  readonly help?: BilingualText;
  readonly choices?: readonly (readonly [string, BilingualText, NonNullable<NonNullable<Given['options']>['choices']>[number]['color']])[];
};

const slug = (from: string): Part => ({
  key: 'slug',
  type: 'slug',
  title: w('网址标识', 'Slug'),
  help: w('留空时由标题生成', 'Made from the title when left empty'),
  unique: true,
  options: { from },
});
const seo: readonly Part[] = [
  { key: 'seo_title', type: 'text', title: w('搜索标题', 'SEO title'), localized: true, options: { maxLength: 120 } },
  { key: 'seo_description', type: 'longText', title: w('搜索描述', 'SEO description'), localized: true, options: { maxLength: 300 } },
];
const title: Part = { key: 'title', type: 'text', title: w('标题', 'Title'), required: true, localized: true, options: { maxLength: 200 } };
const position: Part = {
  key: 'position',
  type: 'integer',
  title: w('排序值', 'Position'),
  indexed: true,
  help: w('数值小的排在前面', 'Lower numbers come first'),
};
const visible: Part = { key: 'visible', type: 'switch', title: w('显示', 'Visible'), default: { kind: 'value', value: true } };

const templates: Record<Template, readonly Part[]> = {
  articles: [
    title,
    slug('title'),
    { key: 'summary', type: 'longText', title: w('摘要', 'Summary'), localized: true, options: { maxLength: 500 } },
    { key: 'cover', type: 'image', title: w('封面', 'Cover'), options: { most: 1 } },
    { key: 'body', type: 'richText', title: w('正文', 'Body'), localized: true },
    {
      key: 'category',
      type: 'select',
      title: w('分类', 'Category'),
      indexed: true,
      choices: [
        ['news', w('新闻', 'News'), 'blue'],
        ['guide', w('教程', 'Guide'), 'teal'],
        ['story', w('专题', 'Feature'), 'purple'],
        ['notice', w('公告', 'Notice'), 'orange'],
      ],
    },
    { key: 'tags', type: 'tags', title: w('标签', 'Tags'), indexed: true },
    { key: 'author', type: 'user', title: w('作者', 'Author'), default: { kind: 'user' } },
    { key: 'published_on', type: 'date', title: w('发布日期', 'Published on'), indexed: true, default: { kind: 'now' } },
    {
      key: 'related',
      type: 'relations',
      title: w('相关文章', 'Related articles'),
      options: { to: '$self', most: 10 },
    },
    ...seo,
  ],
  products: [
    { key: 'name', type: 'text', title: w('名称', 'Name'), required: true, localized: true, options: { maxLength: 200 } },
    slug('name'),
    { key: 'sku', type: 'text', title: w('货号', 'SKU'), unique: true, options: { maxLength: 64, pattern: '[A-Za-z0-9._\\-]+' } },
    { key: 'price', type: 'currency', title: w('价格', 'Price'), indexed: true, options: { decimals: 2, min: 0 } },
    { key: 'stock', type: 'integer', title: w('库存', 'Stock'), options: { min: 0 }, default: { kind: 'value', value: 0 } },
    {
      key: 'status',
      type: 'select',
      title: w('状态', 'Status'),
      indexed: true,
      default: { kind: 'value', value: 'on_sale' },
      choices: [
        ['on_sale', w('在售', 'On sale'), 'green'],
        ['coming', w('即将上市', 'Coming soon'), 'blue'],
        ['sold_out', w('售罄', 'Sold out'), 'orange'],
        ['ended', w('已停售', 'Discontinued'), 'grey'],
      ],
    },
    { key: 'pictures', type: 'image', title: w('图片', 'Pictures'), options: { most: 20 } },
    { key: 'summary', type: 'longText', title: w('简介', 'Summary'), localized: true, options: { maxLength: 500 } },
    { key: 'description', type: 'richText', title: w('详情', 'Description'), localized: true },
    {
      key: 'specifications',
      type: 'repeater',
      title: w('规格', 'Specifications'),
      options: {
        items: [
          { key: 'name', title: '$name', type: 'text', required: true },
          { key: 'value', title: '$value', type: 'text' },
        ],
      },
    },
    { key: 'tags', type: 'tags', title: w('标签', 'Tags') },
    { key: 'related', type: 'relations', title: w('相关商品', 'Related products'), options: { to: '$self', most: 12 } },
  ],
  pages: [
    title,
    slug('title'),
    {
      key: 'parent',
      type: 'relation',
      title: w('上级页面', 'Parent page'),
      options: { to: '$self', onDelete: 'clear' },
      inverseTitle: '$children',
    },
    { key: 'cover', type: 'image', title: w('题图', 'Cover'), options: { most: 1 } },
    { key: 'body', type: 'richText', title: w('正文', 'Body'), localized: true },
    { key: 'in_menu', type: 'switch', title: w('显示在导航中', 'Show in navigation'), default: { kind: 'value', value: false } },
    position,
    ...seo,
  ],
  faq: [
    { key: 'question', type: 'text', title: w('问题', 'Question'), required: true, localized: true, options: { maxLength: 300 } },
    { key: 'answer', type: 'richText', title: w('回答', 'Answer'), required: true, localized: true },
    {
      key: 'topic',
      type: 'select',
      title: w('主题', 'Topic'),
      indexed: true,
      choices: [
        ['general', w('常见问题', 'General'), 'grey'],
        ['account', w('账号', 'Account'), 'blue'],
        ['order', w('订单与付款', 'Orders and payment'), 'green'],
        ['service', w('售后服务', 'After-sales'), 'orange'],
      ],
    },
    position,
    visible,
  ],
  team: [
    { key: 'name', type: 'text', title: w('姓名', 'Name'), required: true, localized: true, options: { maxLength: 100 } },
    { key: 'photo', type: 'image', title: w('照片', 'Photo'), options: { most: 1 } },
    { key: 'role', type: 'text', title: w('职务', 'Role'), localized: true, options: { maxLength: 100 } },
    {
      key: 'department',
      type: 'select',
      title: w('部门', 'Department'),
      indexed: true,
      choices: [
        ['management', w('管理', 'Management'), 'purple'],
        ['product', w('产品与设计', 'Product and design'), 'blue'],
        ['engineering', w('技术', 'Engineering'), 'teal'],
        ['marketing', w('市场与运营', 'Marketing'), 'orange'],
      ],
    },
    { key: 'bio', type: 'longText', title: w('简介', 'Bio'), localized: true, options: { maxLength: 2000 } },
    { key: 'email', type: 'email', title: w('邮箱', 'Email') },
    { key: 'phone', type: 'phone', title: w('电话', 'Phone'), sensitive: true },
    { key: 'joined_on', type: 'date', title: w('入职日期', 'Joined on') },
    { key: 'manager', type: 'relation', title: w('上级', 'Manager'), options: { to: '$self', onDelete: 'clear' }, inverseTitle: '$reports' },
    position,
    visible,
  ],
};

/** Texts inside options. */
const inside: Readonly<Record<string, BilingualText>> = {
  $name: w('名称', 'Name'),
  $value: w('值', 'Value'),
  $children: w('下级页面', 'Child pages'),
  $reports: w('下属', 'Reports'),
};

/** Templates for published content start with drafts and two languages. */
export const draftsOfTemplate = (template: Template): boolean => template === 'articles' || template === 'pages';
export const localesOfTemplate = (first: string): string[] => [first, first.startsWith('zh') ? 'en' : 'zh-Hans'];

/**
 * Fields of a template in the caller's language. `tableKey`: key with which relations to the table itself refer to it. Only drafts may be incomplete: in a table
 * without them nothing is required, so that a record can be added empty and filled in cell by cell.
 */
export function fieldsOfTemplate(template: Template, locale: Locale, tableKey: string, drafts: boolean): Input[] {
  const say = (bilingualText: BilingualText): string => (locale === 'en' ? bilingualText.en : bilingualText.zh);
  const text = (value: string): string => (inside[value] ? say(inside[value]) : value);
  return templates[template].map(({ title: called, help, choices, options = {}, inverseTitle, ...rest }) =>
    FieldInput.parse({
      ...rest,
      required: drafts && rest.required === true,
      title: say(called),
      ...(help ? { help: say(help) } : {}),
      ...(inverseTitle === undefined ? {} : { inverseTitle: text(inverseTitle) }),
      options: {
        ...options,
        ...(options.to === '$self' ? { to: tableKey } : {}),
        ...(options.items ? { items: options.items.map((item) => ({ ...item, title: text(item.title) })) } : {}),
        ...(choices ? { choices: choices.map(([id, choiceTitle, color]) => ({ id, title: say(choiceTitle), color })) } : {}),
        ...(rest.type === 'currency' ? { currency: locale === 'en' ? 'USD' : 'CNY' } : {}),
      },
    }),
  );
}
