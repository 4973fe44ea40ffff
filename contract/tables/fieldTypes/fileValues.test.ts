import { textIn } from './fileValues';

test('a text is found in a variety of the language before any other', () => {
  const texts = { en: 'Lake', 'zh-Hans': '湖' };
  expect(['zh-CN', 'zh-Hans', 'en-GB', 'de'].map((locale) => textIn(texts, locale))).toEqual(['湖', '湖', 'Lake', 'Lake']);
  expect(textIn({}, 'en')).toBeUndefined();
});
