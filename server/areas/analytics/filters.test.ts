import fc from 'fast-check';
import { filterOps } from '../../../contract/analytics/schemas';
import { normalizePath } from '../../../contract/paths';
import { Failure } from '../../http/failure';
import { compileFilters, parseFilter, splitValues } from './filters';

const join = (values: readonly string[]): string => values.map((value) => value.replaceAll(/[\\|]/g, (char) => `\\${char}`)).join('|');

describe('the text form of a filter', () => {
  test('any values survive serialization and parsing', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 8 }), (values) => expect(splitValues(join(values))).toEqual(values)),
    );
  });

  test('an escaped path and its readable form are the same value', () => {
    expect(parseFilter('path:is:/%e8%8c%b6|/茶|/a%2fb')).toEqual({ dimension: 'path', op: 'is', values: ['/茶', '/a%2Fb'] });
    expect(parseFilter('keyword:is:%e8%8c%b6').values).toEqual(['%e8%8c%b6']);
  });

  test('colons belong to the value and an empty value means unknown', () => {
    expect(parseFilter('path:is:/a:b')).toEqual({ dimension: 'path', op: 'is', values: ['/a:b'] });
    expect(parseFilter('keyword:not:')).toEqual({ dimension: 'keyword', op: 'not', values: [''] });
  });

  test.each([
    ['visitor_id:is:1', 'pattern'],
    ['path:like:/a', 'pattern'],
    ['toString:is:1', 'pattern'],
    ['path:contains:', 'required'],
    ['path:excludes:a|', 'required'],
    ['sourceType:is:teleport', 'out_of_range'],
    ['newReturning:not:newest', 'out_of_range'],
    [`path:is:${Array.from({ length: 51 }, (_, i) => i).join('|')}`, 'too_long'],
  ])('%s is refused: %s', (text, code) => {
    try {
      parseFilter(text);
      throw new Error('was taken');
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect((error as Failure).fields).toEqual({ filter: { code } });
    }
  });

  test('no value appears in the SQL', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('path', 'title', 'country', 'keyword', 'screen'),
        fc.constantFrom(...filterOps),
        // Starts unlike anything in the SQL statements, so that a value cannot coincide with part of one.
        fc.stringMatching(/^ZZ[A-Za-z0-9'"`;(){}\\-]{6,20}$/),
        (dimension, op, value) => {
          const compiled = compileFilters([parseFilter(`${dimension}:${op}:${join([value])}`)]);
          expect(`${compiled.visit} ${compiled.mask}`).not.toContain(value);
          expect(Object.values(compiled.params)).toEqual([[dimension === 'path' ? normalizePath(value) : value]]);
        },
      ),
    );
  });
});
