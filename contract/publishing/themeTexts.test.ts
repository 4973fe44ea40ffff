import { SettingsPart } from './parts';
import { ThemeSetting } from './theme';
import { hasLanguages, textOfSetting, withSettingText } from './themeTexts';
import type { StoredSetting, TextSetting } from './themeTexts';

const slogan: TextSetting = { key: 'slogan', type: 'text', label: {}, default: '' };
const button: TextSetting = { ...slogan, default: 'More' };
const [main, several] = ['zh-Hans', true] as const;

test.each<[TextSetting, StoredSetting, string, string]>([
  [slogan, undefined, 'en', ''],
  [button, undefined, 'en', 'More'],
  [slogan, '茶', 'en', '茶'],
  [slogan, { 'zh-Hans': '茶', en: 'Tea' }, 'en', 'Tea'],
  [slogan, { 'zh-Hans': '茶', en: 'Tea' }, 'ja en', 'Tea'],
  [slogan, { 'zh-Hans': '茶', en: '' }, 'en', '茶'],
  [button, { en: 'Read on' }, 'en', 'Read on'],
  [button, { en: 'Read on' }, '', 'More'],
  // The default language has been another one.
  [slogan, { en: 'Tea' }, '', 'Tea'],
  [slogan, { 'zh-Hans': '', en: 'Tea' }, '', ''],
  [button, { 'zh-Hans': '' }, 'en', ''],
  [button, 7, 'en', 'More'],
])('%j with %j is read along %j', (setting, stored, chain, text) => {
  expect(textOfSetting(setting, stored, [...chain.split(' ').filter(Boolean), main], main)).toBe(text);
});

test.each<[TextSetting, StoredSetting, string, string | undefined, StoredSetting]>([
  [slogan, undefined, main, '茶', { 'zh-Hans': '茶' }],
  [slogan, '茶', 'en', 'Tea', { 'zh-Hans': '茶', en: 'Tea' }],
  [slogan, undefined, 'en', 'Tea', { 'zh-Hans': '', en: 'Tea' }],
  [button, undefined, 'en', 'Read on', { en: 'Read on' }],
  [button, { 'zh-Hans': '更多', en: 'Read on' }, main, undefined, { en: 'Read on' }],
  [button, { 'zh-Hans': '更多', en: 'Read on' }, 'en', '', { 'zh-Hans': '更多' }],
  [slogan, { 'zh-Hans': '', en: 'Tea' }, 'en', undefined, undefined],
])('%j with %j gets another text in %s', (setting, stored, tag, text, after) => {
  expect(withSettingText(setting, stored, { tag, main, several }, text)).toEqual(after);
});

test('a site with one language stores a text without it', () => {
  expect(withSettingText(slogan, undefined, { tag: main, main, several: false }, '茶')).toBe('茶');
  // English was removed and can be restored.
  expect(withSettingText(slogan, { 'zh-Hans': '茶', en: 'Tea' }, { tag: main, main, several: false }, '茗')).toEqual({ 'zh-Hans': '茗', en: 'Tea' });
});

test('texts have languages unless the theme says otherwise', () => {
  const read = (more: object) => ThemeSetting.parse({ key: 'a', type: 'text', label: {}, default: '', ...more });
  expect([hasLanguages(read({})), hasLanguages(read({ localized: false })), hasLanguages(read({ type: 'color', default: '#ffffff' }))]).toEqual([
    true,
    false,
    false,
  ]);
  expect(ThemeSetting.safeParse({ key: 'a', type: 'link', label: {}, default: '', localized: true }).success).toBe(false);
});

test('a stored setting is a value, or texts by language', () => {
  const read = (value: unknown) => SettingsPart.safeParse({ theme: { slogan: value } });
  expect(read({ zh: '茶', en_US: 'x' }).success).toBe(false);
  expect([{ 'zh-CN': '茶' }, '茶', 3, true, null].map((value) => read(value).data?.theme.slogan)).toEqual([{ 'zh-Hans': '茶' }, '茶', 3, true, null]);
  expect([{ en: 5 }, { en: 'x'.repeat(5001) }, 'x'.repeat(5001), ['x']].map((value) => read(value).success)).toEqual([false, false, false, false]);
});
