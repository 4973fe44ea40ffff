import { textsFor, withoutEmpty } from '@/lib/languageTexts';
import { textIn } from './textIn';

test('texts fall back from language to English to any', () => {
  const texts = { 'zh-Hans': '主色', en: 'Accent' };
  expect([textIn(texts, 'zh-CN'), textIn(texts, 'en'), textIn({ 'en-GB': 'Colour' }, 'en'), textIn({ 'zh-Hant': '主色調' }, 'zh-CN')]).toEqual([
    '主色',
    'Accent',
    'Colour',
    '主色調',
  ]);
  expect([textIn({ de: 'Farbe' }, 'zh-CN'), textIn({ de: 'Farbe', en: 'Colour' }, 'zh-CN'), textIn(undefined, 'en')]).toEqual(['Farbe', 'Colour', '']);
});

test('an empty text gives way to one in another language', () => {
  expect([textIn({ en: '', 'zh-Hans': '茶' }, 'en'), textIn({ en: '' }, 'en')]).toEqual(['茶', '']);
});

test('a form has a text for each language and stores those that are written', () => {
  const texts = textsFor(['en', 'ja'], { en: 'Tea', de: 'Tee' });
  expect(texts).toEqual({ en: 'Tea', ja: '', de: 'Tee' });
  expect(withoutEmpty(texts)).toEqual({ en: 'Tea', de: 'Tee' });
});
