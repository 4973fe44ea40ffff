import { readText } from '../fieldText';
import { textIn } from './fileValues';

test('a text is found in a variety of the language before any other', () => {
  const texts = { en: 'Lake', 'zh-Hans': '湖' };
  expect(['zh-CN', 'zh-Hans', 'en-GB', 'de'].map((locale) => textIn(texts, locale))).toEqual(['湖', '湖', 'Lake', 'Lake']);
  expect(textIn({}, 'en')).toBeUndefined();
});

test('files are read from ids, addresses and JSON', () => {
  const resource = '0198c0de-0000-7000-8000-000000000001';
  const read = (text: string): unknown => readText({ type: 'image', options: {} }, text);
  expect(read(`${resource}\n/_r/${resource}/a.jpg, https://a.example/b.png`)).toEqual({
    ok: true,
    value: [{ resource }, { resource }, { url: 'https://a.example/b.png' }],
  });
  const items = [
    { resource, alt: { en: 'A lake, far away' } },
    { url: 'https://a.example/b.png', name: 'B' },
  ];
  expect(read(` ${JSON.stringify(items)} `)).toEqual({ ok: true, value: items });
  expect(read('[a.jpg')).toEqual({ ok: true, value: [{ url: '[a.jpg' }] });
});
