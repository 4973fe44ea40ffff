import fc from 'fast-check';
import { caseCounts } from '../../test/support/caseCounts';
import { chainOf, fallbackCycle, pickLanguage, textAlong } from './fallback';
import type { Fallbacks } from './fallback';

const chinese: Fallbacks = { 'zh-Hant': ['zh-Hans', 'en'], 'es-MX': ['es'], es: ['pt', 'fr'], pt: ['it'] };

test.each([
  ['zh-Hant', 'en', 'zh-Hant zh-Hans en'],
  ['es-MX', 'en', 'es-MX es pt it fr en'],
  ['es', 'fr', 'es pt it fr'],
  ['en', 'en', 'en'],
  ['ja', 'zh-Hans', 'ja zh-Hans'],
  ['constructor', 'en', 'constructor en'],
] as const)('%s with the default %s reads %s', (language, defaultLanguage, chain) => {
  expect(chainOf(language, chinese, defaultLanguage).join(' ')).toBe(chain);
});

test('a region falls back to its language before the default one', () => {
  expect(pickLanguage(chainOf('es-MX', chinese, 'en'), new Set(['en', 'es']))).toBe('es');
  expect(pickLanguage(chainOf('es-MX', chinese, 'en'), new Set(['en', 'ja']))).toBe('en');
  expect(pickLanguage(chainOf('es-MX', chinese, 'en'), new Set(['ja']))).toBe(null);
});

test.each([
  [{ en: 'Tea', 'zh-Hans': '茶' }, 'zh-Hant zh-Hans en', '茶'],
  [{ en: 'Tea', 'zh-Hans': '茶' }, 'zh-Hant en', '茶'],
  [{ en: 'Tea', ja: '茶' }, 'fr ja en', '茶'],
  [{ fr: '', en: 'Tea' }, 'fr en', 'Tea'],
  [{ ja: '茶' }, 'fr en', '茶'],
  [{}, 'fr en', undefined],
])('of %j, a reader of %s gets %s', (texts, chain, text) => {
  expect(textAlong(texts, chain.split(' '))).toBe(text);
});

test.each([
  [{}, null],
  [chinese, null],
  [{ a: ['a'] }, 'a a'],
  [{ a: ['b'], b: ['a'] }, 'a b a'],
  [{ x: ['a'], a: ['b'], b: ['c', 'd'], d: ['a'] }, 'a b d a'],
  [{ a: ['b', 'c'], b: ['d'], c: ['d'] }, null],
] as const)('the cycle of %j is %s', (fallbacks, cycle) => {
  expect(fallbackCycle(fallbacks)?.join(' ') ?? null).toBe(cycle);
});

const language = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const fallbacks: fc.Arbitrary<Fallbacks> = fc.dictionary(language, fc.uniqueArray(language, { maxLength: 3 }));

test('a chain names every language once and ends, also with a cycle', () => {
  fc.assert(
    fc.property(fallbacks, language, language, (all, first, last) => {
      const chain = chainOf(first, all, last);
      expect(chain[0]).toBe(first);
      expect(new Set(chain).size).toBe(chain.length);
      expect(chain).toContain(last);
    }),
  );
});

test('a cycle is a way along fallbacks, found exactly where one exists', () => {
  const cases = caseCounts('cycle', 'none');
  fc.assert(
    fc.property(fallbacks, (all) => {
      const reachable = (from: string): Set<string> => {
        const found = new Set<string>();
        const queue = [...(all[from] ?? [])];
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
          if (found.has(next)) continue;
          found.add(next);
          queue.push(...(all[next] ?? []));
        }
        return found;
      };
      const cycle = fallbackCycle(all);
      cases.count(cycle === null ? 'none' : 'cycle');
      expect(cycle !== null).toBe(Object.keys(all).some((one) => reachable(one).has(one)));
      for (const [at, one] of (cycle ?? []).slice(1).entries()) expect(all[cycle?.[at] ?? '']).toContain(one);
      if (cycle !== null) expect(cycle.at(-1)).toBe(cycle[0]);
    }),
  );
  cases.expectAtLeast(5);
});
