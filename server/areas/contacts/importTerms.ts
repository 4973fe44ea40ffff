import { contactTitles, contactTopics } from '../../../contract/contacts/schemas';
import type { ContactInput, ContactTopic } from '../../../contract/contacts/schemas';
import type { Locale } from '../../http/access';
import { contactMessages } from './messages';

/** The fields of a contact that a file can contain. */
export const importedKeys = ['name', 'firstName', 'lastName', 'company', 'title', 'email', 'phone', 'wechat', 'address', 'locale', 'topics', 'note'] as const;
export type ImportedKey = (typeof importedKeys)[number];

/** One contact of a file, with its values as written. `line` counts from 1. */
export type ImportedLine = { readonly line: number; readonly values: Partial<Record<ImportedKey, string>> };

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_\-.:：·/()（）]+/g, '');

/** Column names in Chinese and English: those of this program, Google, Outlook and phones. */
const headers: Record<ImportedKey, string> = {
  name: '姓名 名称 联系人 联系人姓名 全名 name fullname contact contactname displayname',
  firstName: '名 名字 firstname givenname',
  lastName: '姓 姓氏 lastname familyname surname',
  company: '公司 公司名称 单位 组织 企业 company companyname organization organisation organizationname',
  title: '职责 职务 职位 头衔 岗位 title role duty jobtitle organizationtitle',
  email: '邮箱 电子邮箱 电子邮件 邮件 邮件地址 邮箱地址 email emailaddress mail email1value email1',
  phone: '电话 电话号码 手机 手机号 手机号码 联系电话 移动电话 phone phonenumber mobile mobilephone cell tel telephone phone1value businessphone',
  wechat: '微信 微信号 wechat weixin',
  address: '地址 联系地址 通讯地址 address businessaddress address1formatted',
  locale: '语言 通知语言 language locale lang',
  topics: '通知 通知内容 接收通知 订阅 topics notifications notifiedabout subscriptions',
  note: '备注 说明 note notes remark remarks comment comments',
};
const keyOfHeader = new Map(importedKeys.flatMap((key) => headers[key].split(' ').map((header) => [header, key] as const)));

/** The key of a column header; null if it is unknown. */
export const headerKey = (header: string): ImportedKey | null => keyOfHeader.get(plain(header)) ?? null;

const titles: Record<string, (typeof contactTitles)[number]> = {
  负责人: 'owner',
  法人: 'owner',
  老板: 'owner',
  技术: 'technical',
  技术负责人: 'technical',
  运维: 'technical',
  开发: 'technical',
  运营: 'operations',
  财务: 'finance',
  会计: 'finance',
  编辑: 'editor',
  其他: 'other',
  ceo: 'owner',
  cto: 'technical',
  developer: 'technical',
  accountant: 'finance',
  accounting: 'finance',
  ...Object.fromEntries(contactTitles.map((title) => [title, title])),
};
const topicByWord = new Map<string, ContactTopic>(
  contactTopics.flatMap((topic) =>
    [topic, contactMessages['zh-CN'].topic[topic], contactMessages.en.topic[topic]].map((word) => [plain(word), topic] as const),
  ),
);

const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** Chinese names are written family name first and without a space. */
function nameOf({ name, firstName = '', lastName = '' }: ImportedLine['values']): string {
  if (name !== undefined && name.trim() !== '') return name;
  const parts = isHan(firstName + lastName) ? [lastName, firstName] : [firstName, lastName];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(isHan(firstName + lastName) ? '' : ' ');
}

function localeOf(text: string, fallback: Locale): Locale {
  if (/^(en|英)/i.test(text.trim())) return 'en';
  return /^(zh|cn|chi|中|汉)/i.test(text.trim()) ? 'zh-CN' : fallback;
}

type Read = ContactInput & { readonly name: string; readonly email: string | null };

/** The values of a line as input for the contract, not yet validated. An unknown job title goes into the note. */
export function termReader({ values }: ImportedLine, fallback: Locale): Read {
  const text = (key: ImportedKey): string => (values[key] ?? '').trim();
  const title = titles[plain(text('title'))];
  const topics = text('topics')
    .split(/[、,，;；|\n]+/)
    .map(plain)
    .filter((word) => word !== '');
  const email = text('email').replace(/^mailto:/i, '');
  const phone = text('phone')
    .replace(/^tel:/i, '')
    .replaceAll(/[\s().\-（）]/g, '');
  return {
    name: nameOf(values),
    company: text('company'),
    title: title ?? 'other',
    email: email === '' ? null : email,
    phone: phone === '' ? null : phone,
    wechat: text('wechat'),
    address: text('address'),
    locale: localeOf(text('locale'), fallback),
    // An unknown topic is left in, so that the contract rejects the line instead of silently dropping a subscription.
    subscriptions: Object.fromEntries(topics.map((word) => [topicByWord.get(word) ?? word, ['mail']])) as NonNullable<ContactInput['subscriptions']>,
    note: [text('note'), title === undefined ? text('title') : ''].filter((part) => part !== '').join('\n'),
  };
}
