import fc from 'fast-check';
import { CollectBody, Hit, limits } from '../../contract/collect/schemas';
import { cleanText } from './text';
import { isHit, validateBody } from './validate';
import type { ValidBody } from './validate';
import { caseCounts } from '../../test/support/caseCounts';

const now = 1_790_000_000_000;
const view = 'a1b2c3d4e5f60718';
const hit = { k: 'v', p: view, q: 0, a: 1500, l: 'https://example.com/docs?x=1#top', n: '文档', r: 'https://www.baidu.com/' };
const send = (...hits: unknown[]) => validateBody(JSON.stringify({ s: 'abcdefgh2345', u: '00000000000000ff', h: hits }), now);
const body = (...hits: unknown[]): ValidBody => {
  const valid = send(...hits);
  if (typeof valid === 'string') throw new Error(valid);
  return valid;
};
const first = (overrides: object) => body({ ...hit, ...overrides }).hits[0];

describe('a hit', () => {
  it("has a time from its age, whatever the sender's clock", () => {
    expect(first({ a: 1500 })?.at).toBe(now - 1500);
    expect(first({ a: -86_400_000 })?.at).toBe(now);
    expect(body({ ...hit, a: limits.ageMs + 1 })).toMatchObject({ hits: [], refused: [{ index: 0, code: 'too_old' }] });
  });

  it('cannot set its own address, user agent, time or country', () => {
    const forged = { ip: '1.2.3.4', ua: 'forged', at: 5, received_at: 5, country: 'XX', visitor_id: 'x', bot_score: 0 };
    expect(first(forged)).toEqual(first({}));
  });

  it('has long texts cut between characters', () => {
    const long = first({ k: 'e', n: '𠮷'.repeat(400), e: 'x'.repeat(500), o: { ['k'.repeat(90)]: '😀'.repeat(400) } });
    expect(long?.title).toBe('𠮷'.repeat(limits.title / 2));
    expect(long?.name).toHaveLength(limits.eventName);
    expect(JSON.parse(long?.props ?? '')).toEqual({ ['k'.repeat(limits.propName)]: '😀'.repeat(limits.propValue / 2) });
    expect(first({ l: `https://example.com/${'p'.repeat(5000)}` })?.path).toHaveLength(limits.url);
  });

  it('treats fragments as path when the site routes by fragments', () => {
    const routed = validateBody(JSON.stringify({ s: 'abcdefgh2345', f: '', h: [{ ...hit, l: 'https://example.com/app?q=1#gift' }] }), now);
    expect(routed).toMatchObject({ hits: [{ path: '/app#gift', query: '?q=1' }] });
  });

  it('accepts valid client hints and is refused with malformed ones', () => {
    const validateHints = (c: unknown) => validateBody(JSON.stringify({ s: 'abcdefgh2345', c, h: [hit] }), now);
    expect(validateHints(['15.0.0', 'Pixel 8'])).toMatchObject({ hints: ['15.0.0', 'Pixel 8'] });
    expect(validateHints(undefined)).toMatchObject({ hints: null });
    for (const wrong of ['15', ['15'], ['15', 3], ['15', 'x'.repeat(101)]]) expect(validateHints(wrong)).toBe('malformed');
  });

  it('contains no control characters, lone surrogates or passwords', () => {
    expect(first({ n: 'a\u0000b\nc\ud800d' })?.title).toBe('a b c\ufffdd');
    expect(first({ l: 'https://user:secret@example.com/a' })?.url).toBe('https://example.com/a');
  });

  it("reads a hash router's path from the fragment and ignores others", () => {
    expect(first({ l: 'https://example.com/app#/orders/7' })?.path).toBe('/app#/orders/7');
    expect(first({ l: 'https://example.com/app?q=1#top' })).toMatchObject({ path: '/app', query: '?q=1' });
  });

  it('has one normalized path, however it was escaped', () => {
    for (const l of ['https://example.com/%e8%8c%b6%E5%8F%B6/a%2fb', 'https://example.com/茶叶/a%2Fb']) expect(first({ l })?.path).toBe('/茶叶/a%2Fb');
    expect(first({ l: 'https://example.com/a?x=%E8%8C%B6#/%E8%B7%AF' })).toMatchObject({ path: '/a#/路', query: '?x=%E8%8C%B6' });
  });

  it('has a long path cut between characters and escapes', () => {
    expect(first({ l: `https://example.com/${'茶'.repeat(1500)}` })?.path).toBe(`/${'茶'.repeat(1500)}`);
    for (const more of ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg', 'abcdefgh'])
      expect(first({ l: `https://example.com/${more}${encodeURIComponent('茶').repeat(3000)}` })?.path).toMatch(/^\/[a-h]*茶+$/);
  });

  it('is refused alone when only it is invalid', () => {
    expect(body(hit, { ...hit, q: -1 }, { ...hit, q: 2, l: 'file:///etc/passwd' }, { ...hit, q: 3 })).toMatchObject({
      hits: [{ seq: 0 }, { seq: 3 }],
      refused: [
        { index: 1, code: 'malformed' },
        { index: 2, code: 'malformed' },
      ],
    });
  });

  it('counts once when a request repeats it', () => {
    expect(body(hit, hit).hits).toHaveLength(1);
  });
});

describe('a request', () => {
  it.each(['', 'null', '[]', '{', '{"s":"abcdefgh2345","h":[]}', '{"s":"../etc","h":[{}]}', '{"s":"abcdefgh2345","u":"X","h":[{}]}', '1e999'])(
    '%j is malformed',
    (text) => {
      expect(validateBody(text, now)).toBe('malformed');
    },
  );

  it('contains at most fifty hits', () => {
    expect(send(...Array.from({ length: limits.hitsPerRequest + 1 }, (_, q) => ({ ...hit, q })))).toBe('too_many');
  });
});

/** Valid values mixed with invalid ones, so that both results are frequent. */
const odd = fc.oneof(fc.constant(null), fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.array(fc.integer()), fc.object());
const or = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> => fc.oneof({ arbitrary: good, weight: 12 }, { arbitrary: odd, weight: 1 });
const anyHit = fc.record(
  {
    k: or(fc.constantFrom('v', 'e', 'g')),
    p: or(fc.constantFrom(view, 'ffffffffffffffff', 'FFFFFFFFFFFFFFFF', 'abc')),
    q: or(fc.integer({ min: 0, max: 65_536 })),
    a: or(fc.double({ noDefaultInfinity: true, noNaN: true })),
    l: or(fc.webUrl()),
    n: or(fc.string()),
    r: or(fc.string()),
    w: or(fc.integer({ min: 0, max: 65_536 })),
    h: or(fc.nat(65_535)),
    g: or(fc.string({ maxLength: 37 })),
    m: or(fc.double({ noDefaultInfinity: true, noNaN: true })),
    d: or(fc.integer({ min: 0, max: 101 })),
    e: or(fc.string()),
    o: or(fc.dictionary(fc.string(), or(fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))))),
    b: or(fc.boolean()),
  },
  { requiredKeys: ['k', 'p', 'q', 'a', 'l'] },
);

it('follows the contract for every hit and body', () => {
  fc.assert(
    fc.property(fc.oneof(anyHit, odd), (hitInput) => {
      const sent: unknown = JSON.parse(JSON.stringify(hitInput));
      expect(isHit(sent)).toBe(Hit.safeParse(sent).success);
    }),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        odd,
        fc.record(
          { s: or(fc.constantFrom('abcdefgh2345', 'short')), u: or(fc.constant(view)), h: or(fc.array(anyHit, { maxLength: 60 })) },
          { requiredKeys: ['s'] },
        ),
      ),
      (bodyInput) => {
        const text = JSON.stringify(bodyInput);
        expect(typeof validateBody(text, now) !== 'string').toBe(CollectBody.safeParse(JSON.parse(text)).success);
      },
    ),
    { numRuns: 500 },
  );
});

it('cleaning gives bounded, well-formed text and is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, max) => {
      const cleaned = cleanText(text, max);
      expect(cleaned.length).toBeLessThanOrEqual(max);
      expect(Buffer.from(cleaned).toString()).toBe(cleaned);
      expect(cleanText(cleaned, max)).toBe(cleaned);
    }),
  );
});

describe('any input', () => {
  const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue());
  const nearly = fc.record(
    {
      k: fc.constantFrom('v', 'e', 'g', 'x'),
      p: fc.constantFrom(view, 'ABC', ''),
      q: fc.oneof(fc.integer({ min: -2, max: 70_000 }), anything),
      a: fc.oneof(fc.double(), fc.constant(3 * 365 * 86_400_000)),
      l: fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.constant('https://example.com/'), anything),
      n: fc.string({ unit: 'binary', maxLength: 2000 }),
      e: fc.string({ unit: 'binary', maxLength: 2000 }),
      m: fc.double(),
      o: fc.dictionary(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), fc.double({ noNaN: true }), fc.constant('\ud800')),
        {
          maxKeys: 400,
        },
      ),
    },
    { requiredKeys: ['k', 'p', 'q', 'a', 'l'] },
  );
  const valid = nearly.map((one) => ({ ...one, k: 'v', p: view, q: 1, a: 1000, l: 'https://example.com/' }));

  it('never throws, and stored values stay within the limits', () => {
    const cases = caseCounts();
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.oneof(nearly, valid), { maxLength: 60 }), anything), (hits) => {
        const result = validateBody(JSON.stringify({ s: 'abcdefgh2345', h: hits }), now);
        if (typeof result === 'string') return;
        cases.count('checked', result.hits.length);
        for (const one of result.hits) {
          expect(one.at).toBeLessThanOrEqual(now);
          expect(one.at).toBeGreaterThanOrEqual(now - limits.ageMs - 1);
          expect(one.title.length).toBeLessThanOrEqual(limits.title);
          expect(one.name.length).toBeLessThanOrEqual(limits.eventName);
          expect(one.url.length).toBeLessThanOrEqual(limits.url);
          expect(one.engagedMs).toBeLessThanOrEqual(limits.engagedMs);
          const props = one.props === '' ? {} : (JSON.parse(one.props) as Record<string, unknown>);
          expect(Object.keys(props).length).toBeLessThanOrEqual(limits.props);
          for (const [name, value] of Object.entries(props))
            expect([name.length <= limits.propName, String(value).length <= limits.propValue]).toEqual([true, true]);
          expect(`${one.title}${one.name}${one.props}`).not.toMatch(/\p{Surrogate}/u);
        }
      }),
      { numRuns: 300 },
    );
    cases.expectAtLeast(21);
    expect(validateBody('x'.repeat(10_000), now)).toBe('malformed');
  });
});
