import fc from 'fast-check';
import type { FieldModel } from './model';
import { searchCondition, searchVector, tokensOf } from './search';

const field = (id: string, type: FieldModel['type'], options: FieldModel['options'] = {}) => ({ id, type, options, searchable: true });
const title = field('f_title', 'text');
const lexemes = (text: string, type: FieldModel['type'] = 'text') => new Set(tokensOf([{ field: field('f_x', type), value: text }]));
const queryOf = (searchText: string) => searchCondition(searchText, [])?.query;

const han = fc.constantFrom(...Array.from('红茶叶绿白毫银针大小多少日本語上海北京'));
const letters = fc.constantFrom(...Array.from('abcxyz019'));

describe('words of a record', () => {
  it('indexes Chinese as character pairs and other scripts as words', () => {
    expect([...lexemes('红茶叶 Earl-Grey Ｎｏ．7')]).toEqual(['红茶', '茶叶', '叶', 'earl', 'grey', 'no', '7']);
  });

  it('finds exactly the adjacent character pairs of a text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(han, letters, fc.constantFrom(' ', '，', '-', '。', '\n', '🙂')), { maxLength: 40 }), han, han, (text, a, b) => {
        expect(lexemes(text.join('')).has(a + b)).toBe(text.join('').includes(a + b));
      }),
    );
  });

  it('finds a single character anywhere', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(han, letters, fc.constant(' ')), { maxLength: 30 }), han, (text, a) => {
        expect([...lexemes(text.join(''))].some((lexeme) => lexeme.startsWith(a))).toBe(text.includes(a));
      }),
    );
  });

  it('gives the same lexemes with and without a rare character', () => {
    const plain = fc.oneof(han, letters, fc.constantFrom(...Array.from("AZ_-'\\、。 \n丿龟")));
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 40 }), (text) => {
        expect([...lexemes(text.join('')), 'e']).toEqual([...lexemes(`${text.join('')} é`)]);
      }),
    );
  });

  it('finds word prefixes regardless of case, width and accents', () => {
    expect(queryOf('CAFÉ')).toContain("'cafe':*");
    expect([...lexemes('Café ｃｒèｍｅ')]).toEqual(['cafe', 'creme']);
  });

  it('ignores rich text tags and ends words at block boundaries', () => {
    expect([...lexemes('<p>红<strong class="x">茶</strong></p><p>绿茶&nbsp;good<br>day</p>', 'richText')]).toEqual(['红茶', '茶', '绿茶', 'good', 'day']);
    expect([...lexemes('<a href="红绿">白</a>', 'richText')]).toEqual(['白']);
  });

  it('finds a phone number without spaces and country code', () => {
    const found = lexemes('+86 138-0013-8000', 'phone');
    for (const searchText of ['8613800138000', '13800138000', '8000']) expect(found).toContain(searchText);
    expect(lexemes('+8613800138000', 'phone')).toContain('13800138000');
  });

  it('stores choice ids and finds choices by their current titles', () => {
    const choice = field('f_kind', 'multiSelect', {
      choices: [
        { id: 'c1', title: '红茶', color: 'red' as const },
        { id: 'c2', title: 'Green tea', color: 'green' as const },
      ],
    });
    expect(tokensOf([{ field: choice, value: ['c1', 'c2'] }])).toEqual(['=f_kind:c1', '=f_kind:c2']);
    expect(searchCondition('红茶', [choice])?.query).toContain("'=f_kind:c1'");
    expect(searchCondition('TEA', [choice])?.query).toContain("'=f_kind:c2'");
    expect(searchCondition('绿', [choice])?.query).not.toContain('=f_kind');
  });

  it('skips fields that are not searched and values without text', () => {
    const values = { f_title: '茶', f_off: '酒', f_secret: 'x' };
    const fields = [title, { ...field('f_off', 'text'), searchable: false }, field('f_secret', 'password')];
    expect(searchVector(fields, values, { en: { f_title: 'tea' }, fr: {} })).toBe("'茶' 'tea'");
    expect(
      tokensOf([
        { field: title, value: 5 },
        { field: title, value: null },
        { field: field('f_t', 'tags'), value: ['a', 3, null, 'b'] },
      ]),
    ).toEqual(['a', 'b']);
  });

  it('limits the lexemes of one record and marks the overflow', () => {
    const long = Array.from({ length: 60_000 }, (_, n) => `w${n}`).join(' ');
    const found = lexemes(long);
    expect(found.size).toBe(20_001);
    expect(found).toContain('=more');
    expect(Math.max(...[...lexemes('x'.repeat(100_000))].map((one) => one.length))).toBe(40);
  });
});

describe('a search query', () => {
  it('requires every word and rechecks runs matched by pairs', () => {
    const condition = searchCondition('红茶叶 earl', []);
    expect(condition?.query).toBe("((('红茶' & '茶叶')) & (('earl':*))) | '=more'");
    expect(condition?.terms.map((term) => term.recheck)).toEqual([true, false]);
    expect(searchCondition('T恤', [])?.terms).toEqual([{ texts: ['t恤'], plain: false, recheck: true, choices: new Map() }]);
  });

  it('is empty for empty or unindexable input', () => {
    expect(searchCondition('   ', [])).toBeNull();
    expect(searchCondition('🙂', [])).toMatchObject({ query: null, terms: [{ texts: ['🙂'], recheck: true }] });
    expect(searchCondition('茶 - 酒', [])?.terms).toHaveLength(2);
  });

  it('never passes query syntax from the input through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (searchText) => {
        const query = queryOf(searchText) ?? '';
        for (const [, lexeme = ''] of query.matchAll(/'([^']*)'/g)) expect(lexeme).toMatch(/^(=more|[^\s'\\:&|!()<>*=]+)$/u);
        expect(query.replaceAll(/'[^']*'/g, '')).toMatch(/^[()&|:* ]*$/);
      }),
    );
  });
});
