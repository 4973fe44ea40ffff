import { productName } from './names';

test.each([
  ['Baidu', 'zh-CN', '百度'],
  ['Baidu', 'en', 'Baidu'],
  ['WeChat 8.0', 'zh-CN', '微信 8.0'],
  ['360 Browser', 'zh-CN', '360 浏览器'],
  ['Chrome 126.0', 'zh-CN', 'Chrome 126.0'],
  ['电信', 'en', 'China Telecom'],
  ['电信', 'zh-CN', '电信'],
  ['example.com', 'zh-CN', 'example.com'],
  ['constructor', 'zh-CN', 'constructor'],
  ['', 'en', ''],
] as const)('%s in %s is %s', (stored, locale, name) => {
  expect(productName(stored, locale)).toBe(name);
});
