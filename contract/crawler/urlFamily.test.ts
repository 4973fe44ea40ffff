import { expect, test } from '@jest/globals';
import { pathFamily, urlFamily } from './urlFamily';

test.each([
  ['/', '/'],
  ['', '/'],
  ['/about/', '/about'],
  ['//about', '/about'],
  ['/product/84213.html', '/product/{number}.html'],
  ['/blog/2026/11/20/why-we-moved-our-shop', '/blog/{number}/{number}/{number}/{slug}'],
  ['/blog/2026-11-20', '/blog/{date}'],
  ['/blog/20261120.html', '/blog/{date}.html'],
  ['/o/9f1c2a44-0f3e-4d55-8a21-3bd0f5a0c111', '/o/{uuid}'],
  ['/c/5f2b8c1d', '/c/{hex}'],
  ['/c/deadbeef', '/c/deadbeef'],
  ['/shop/iphone-15-pro', '/shop/{slug}'],
  ['/docs/v2/terms-of-use', '/docs/v2/terms-of-use'],
  ['/terms-and-conditions-of-use', '/terms-and-conditions-of-use'],
  ['/新闻/我们为什么要换掉旧的网站', '/新闻/{slug}'],
  [`/news/${encodeURIComponent('我们为什么要换掉旧的网站')}.html`, '/news/{slug}.html'],
  ['/a;jsessionid=12AB/b', '/a/b'],
  ['/%E0%A4%A', '/{slug}'],
  ['/a/b/c/d/e/f/g/h/i', '/a/b/c/d/e/f/g/h/…'],
])('the family of %s is %s', (path, family) => {
  expect(pathFamily(path)).toBe(family);
});

test.each([
  ['/list?sort=price&page=3', '/list?page&sort'],
  ['/list?page=4&sort=name#top', '/list?page&sort'],
  ['/list?', '/list'],
  ['/list?a1b2c3=1', '/list?{name}'],
])('the family of %s with its query is %s', (address, family) => {
  expect(urlFamily(address)).toBe(family);
});

test('A family stays short and is its own family', () => {
  const long = `/${'x'.repeat(100_000)}/${'1'.repeat(100_000)}?${'&q=1'.repeat(10_000)}`;
  expect(urlFamily(long)).toBe('/{slug}/{number}?q');
  expect(pathFamily(pathFamily('/shop/iphone-15-pro/8.html'))).toBe('/shop/slug/number.html');
});
