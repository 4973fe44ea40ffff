import fc from 'fast-check';
import { caseCounts } from '../../test/support/caseCounts';
import { createRedirects } from '../publishing/redirects';
import { addressIn, hidesLanguage, movedPrefixes, pageAt } from './addresses';
import type { AddressRules } from './addresses';
import { urlStrategies } from './terms';

const languages = [
  { tag: 'zh-Hans', path: 'zh', host: null },
  { tag: 'en', path: 'en', host: 'en.example.com' },
  { tag: 'pt-BR', path: 'pt-br', host: null },
];
const rules = (strategy: AddressRules['strategy']): AddressRules => ({ strategy, languages, primary: 'www.example.com' });

test.each([
  ['prefix_except_default', 'zh-Hans', '/', 'www.example.com/'],
  ['prefix_except_default', 'en', '/', 'www.example.com/en'],
  ['prefix_except_default', 'pt-BR', '/blog/a', 'www.example.com/pt-br/blog/a'],
  ['prefix_all', 'zh-Hans', '/', 'www.example.com/zh'],
  ['prefix_all', 'zh-Hans', '/blog', 'www.example.com/zh/blog'],
  ['subdomain', 'en', '/blog', 'en.example.com/blog'],
  ['subdomain', 'zh-Hans', '/blog', 'www.example.com/blog'],
  ['domain', 'pt-BR', '/blog', 'www.example.com/pt-br/blog'],
  ['prefix_except_default', 'ja', '/blog', 'www.example.com/blog'],
] as const)('%s: %s %s is at %s', (strategy, tag, path, address) => {
  const { host, path: at } = addressIn(rules(strategy), path, tag);
  expect(`${host}${at}`).toBe(address);
});

test.each([
  ['prefix_except_default', 'www.example.com', '/EN/blog', 'en /blog false'],
  ['prefix_except_default', 'www.example.com', '/zh/blog', 'zh-Hans /blog false'],
  ['prefix_except_default', 'www.example.com', '/english', 'zh-Hans /english true'],
  ['prefix_except_default', 'www.example.com', '/en/', 'en / false'],
  ['prefix_all', 'www.example.com', '/', 'zh-Hans / false'],
  ['prefix_all', 'www.example.com', '/zh', 'zh-Hans / true'],
  ['subdomain', 'www.example.com', '/en/blog', 'en /blog false'],
  ['subdomain', 'en.example.com', '/zh/blog', 'en /zh/blog true'],
  ['subdomain', 'www.example.com', '/pt-br', 'pt-BR / true'],
  ['prefix_all', 'en.example.com', '/blog', 'en /blog false'],
] as const)('%s: %s%s is %s', (strategy, host, path, page) => {
  const found = pageAt(rules(strategy), { host, path });
  expect(`${found.tag} ${found.path} ${String(found.isCanonical)}`).toBe(page);
});

test('every address leads back to its page', () => {
  const cases = caseCounts(...urlStrategies);
  fc.assert(
    fc.property(
      fc.constantFrom(...urlStrategies),
      fc.constantFrom(...languages),
      fc.array(fc.stringMatching(/^[a-z茶]{3,8}$/), { maxLength: 3 }),
      (strategy, { tag }, segments) => {
        const path = `/${segments.join('/')}`;
        expect(pageAt(rules(strategy), addressIn(rules(strategy), path, tag))).toEqual({ tag, path, isCanonical: true });
        cases.count(strategy);
      },
    ),
  );
  cases.expectAtLeast(5);
});

test.each([
  ['prefix_except_default', 'subdomain', 'www.example.com', '/en/blog', 'en.example.com/blog'],
  ['prefix_except_default', 'prefix_all', 'www.example.com', '/blog', 'www.example.com/zh/blog'],
  ['prefix_all', 'prefix_except_default', 'www.example.com', '/zh/blog', 'www.example.com/blog'],
  ['domain', 'prefix_all', 'en.example.com', '/blog', 'www.example.com/en/blog'],
] as const)('after %s, the %s address of %s%s is %s', (before, after, host, path, next) => {
  const { tag, path: rest, isCanonical } = pageAt(rules(after), { host, path });
  const address = addressIn(rules(after), rest, tag);
  expect([movedPrefixes(rules(before), rules(after)), isCanonical, `${address.host}${address.path}`]).toEqual([[], false, next]);
});

test('a prefix that no language has any more leads to the new one', () => {
  const renamed = { ...rules('prefix_all'), languages: languages.map((one) => (one.tag === 'en' ? { ...one, path: 'english' } : one)) };
  const moved = movedPrefixes(rules('prefix_all'), renamed);
  expect(moved).toEqual([
    { from: '/en', to: '/english' },
    { from: '/en/*', to: '/english/:splat' },
  ]);
  const redirects = createRedirects(moved.map((one) => ({ ...one, status: 301 as const })));
  expect(redirects('/en/blog/茶', '')?.location).toBe('/english/blog/%E8%8C%B6');
  expect(redirects('/english', '')).toBe(null);
});

test('a removed language leaves no redirect', () => {
  expect(movedPrefixes(rules('prefix_all'), { ...rules('prefix_all'), languages: languages.slice(0, 2) })).toEqual([]);
});

test('a redirect from the prefix of a language hides it', () => {
  expect(['/en', '/EN/*', '/en/old', '/english'].map((from) => hidesLanguage(rules('prefix_all'), from))).toEqual([true, true, false, false]);
});
