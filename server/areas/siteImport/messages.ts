import type { Locale } from '../../http/access';

/** Titles of collections and fields that imports create, and reasons in reports. The program writes them, so they are here and not in the console. */
const texts: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  'collection.posts': ['文章', 'Articles'],
  'collection.pages': ['页面', 'Pages'],
  'collection.authors': ['作者', 'Authors'],
  'collection.topics': ['主题', 'Topics'],
  'collection.front': ['首页', 'Home page'],
  folder: ['导入', 'Imported'],
  home: ['首页', 'Home'],
  'field.title': ['标题', 'Title'],
  'field.slug': ['网址标识', 'Slug'],
  'field.summary': ['摘要', 'Summary'],
  'field.body': ['正文', 'Text'],
  'field.date': ['日期', 'Date'],
  'field.cover': ['封面', 'Cover'],
  'field.photo': ['照片', 'Photo'],
  'field.author': ['作者', 'Author'],
  'field.topics': ['主题', 'Topics'],
  'reason.not_chosen': ['没有选中', 'Not chosen'],
  'reason.removed': ['上次导入后被删除', 'Removed after an earlier import'],
  'reason.not_reachable': ['无法访问', 'Cannot be reached'],
  'reason.address_refused': ['地址在内网，没有访问', 'The address is not public and was not requested'],
  'reason.missing': ['文件不在压缩包里', 'The file is not in the archive'],
  'reason.too_large': ['文件太大', 'The file is too large'],
  'reason.not_a_file': ['不是图片、视频、音频或文件', 'Not a picture, video, sound or file'],
  'reason.not_found': ['记录已不存在', 'The record no longer exists'],
  'reason.refused': ['内容不符合表的要求', 'The table refuses the content'],
  'reason.not_recognised': [
    '认不出这是什么文件。支持：本程序导出的 .site.zip、WordPress 的 XML、Ghost 的 JSON、HTML 或 Markdown 的 ZIP，以及 CSV',
    'The file was not recognised. It may be a .site.zip of this program, XML of WordPress, JSON of Ghost, a ZIP of HTML or Markdown files, or CSV',
  ],
  'reason.damaged': ['文件已损坏或不完整', 'The file is damaged or incomplete'],
  'reason.unsafe_path': ['压缩包里有指向外部的文件名', 'The archive contains names that lead out of it'],
  'reason.encrypted': ['压缩包有密码', 'The archive is encrypted'],
  'reason.bomb': ['解压后太大', 'The archive is too large when unpacked'],
  'reason.too_many_files': ['文件太多', 'Too many files'],
  'reason.too_many_items': ['页面超过 20 000 个', 'More than 20,000 pages'],
  'reason.too_many_collections': ['内容种类太多', 'Too many kinds of content'],
  'reason.item_too_large': ['单个页面太大', 'One page is too large'],
  'reason.document_type': ['XML 含有文档类型声明，不安全', 'The XML has a document type, which is not safe'],
  'reason.too_deep': ['XML 嵌套太深', 'The XML is nested too deeply'],
  'reason.empty': ['没有找到内容', 'No content was found'],
  'reason.no_title': ['找不到标题列', 'No column has titles'],
  'reason.robots': ['网站的 robots.txt 不允许', 'The robots.txt of the website does not allow it'],
  'reason.not_empty': ['归档只能导入新站点', 'An archive can only be imported into a new site'],
};

/** A text in the language of the reader; null if there is none. */
export const messageOf = (locale: Locale, key: string): string | null => texts[key]?.[locale === 'zh-CN' ? 0 : 1] ?? null;
export const reasonOf = (locale: Locale, code: string | null): string | null =>
  code === null ? null : (messageOf(locale, `reason.${code.split(':', 1)[0] ?? ''}`) ?? code);
