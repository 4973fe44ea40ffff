import type { Locale } from '../../../http/access';

/** Labels of values that are not texts, in the reader's language. */
export const valueTexts: Readonly<Record<Locale, { readonly yes: string; readonly no: string; readonly state: Readonly<Record<string, string>> }>> = {
  'zh-CN': { yes: '是', no: '否', state: { draft: '草稿', published: '已发布', changed: '有未发布的修改' } },
  en: { yes: 'Yes', no: 'No', state: { draft: 'Draft', published: 'Published', changed: 'Changed' } },
};
