import type { SystemField } from '../../../../contract/tables/terms';
import type { Locale } from '../../../http/access';

/** Names of the system columns of every record. */
export const systemTitles: Readonly<Record<SystemField, Readonly<Record<Locale, string>>>> = {
  $id: { 'zh-CN': '记录 ID', en: 'Record ID' },
  $n: { 'zh-CN': '编号', en: 'Number' },
  $state: { 'zh-CN': '状态', en: 'State' },
  $createdAt: { 'zh-CN': '创建时间', en: 'Created' },
  $createdBy: { 'zh-CN': '创建人', en: 'Created by' },
  $updatedAt: { 'zh-CN': '修改时间', en: 'Changed' },
  $updatedBy: { 'zh-CN': '修改人', en: 'Changed by' },
  $publishedAt: { 'zh-CN': '发布时间', en: 'Published' },
  $publishAt: { 'zh-CN': '定时发布', en: 'To be published' },
};
