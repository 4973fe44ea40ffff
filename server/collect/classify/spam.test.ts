import { defaultReferrerSpam } from '../../../contract/measuring/referrerSpam';
import { isReferrerSpam } from './spam';
import { spamHosts } from './spamHosts';

const spam = (host: string, more: Partial<typeof defaultReferrerSpam> = {}, own: readonly string[] = ['shop.example']): boolean =>
  isReferrerSpam(host, { ...defaultReferrerSpam, ...more }, own);

test.each(['semalt.com', 'www.semalt.com', 'site34.free-share-buttons.com', 'buttons-for-website.com', 'traffic2cash.xyz'])('%s is spam', (host) => {
  expect(spam(host)).toBe(true);
});

test.each(['', 'notsemalt.com', 'semalt.com.example', 'com', 'xyz', 'www.baidu.com', 'github.com'])('%s is not spam', (host) => {
  expect(spam(host)).toBe(false);
});

test('a site can extend, reduce or disable the list', () => {
  expect(spam('a.noise.example', { hosts: ['noise.example'] })).toBe(true);
  expect(spam('www.semalt.com', { exceptions: ['semalt.com'] })).toBe(false);
  expect(spam('semalt.com', { on: false, hosts: ['semalt.com'] })).toBe(false);
});

test("a site's own hosts are never spam to it", () => {
  expect(spam('semalt.com', {}, ['semalt.com'])).toBe(false);
});

test('the list has unique host names without subdomains of each other', () => {
  for (const host of spamHosts) {
    expect(host).toMatch(/^(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/);
    expect([...spamHosts].filter((one) => one.endsWith(`.${host}`))).toEqual([]);
  }
  expect(spamHosts.size).toBeGreaterThan(150);
});
