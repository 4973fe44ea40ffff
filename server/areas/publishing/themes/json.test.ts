import fc from 'fast-check';
import { placeOf, positionOf, readJson } from './json';

test('reads whatever JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(readJson(text)).toMatchObject({ value: JSON.parse(text) });
    }),
  );
});

test('accepts exactly what JSON.parse accepts', () => {
  const accepts = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const token = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '1', '-', '0', '.5', 'e1', 'true', 'nul', ' ', '\n', '\\', '\u0001', '"\\u00e9"');
  fc.assert(
    fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
      const text = tokens.join('');
      expect(['value' in readJson(text), text]).toEqual([accepts(text), text]);
    }),
    { numRuns: 2000 },
  );
});

test('names the place of a mistake and of a value', () => {
  const text = '{\n  "a": [1, {"b": 2}]\n}';
  const read = readJson(text);
  expect('places' in read && ['a', 'a.1.b', 'a.7.c'].map((path) => positionOf(text, placeOf(read.places, path.split('.'))))).toEqual([
    { line: 2, column: 8 },
    { line: 2, column: 18 },
    { line: 2, column: 8 },
  ]);
  const broken = '{"a": 1,\n "b" 2}';
  const failed = readJson(broken);
  expect('at' in failed && positionOf(broken, failed.at)).toEqual({ line: 2, column: 6 });
});

test('refuses values that are nested too deeply', () => {
  expect(readJson('['.repeat(10_000))).toMatchObject({ error: 'too many levels' });
});

test('many values below a long name do not fill the memory', () => {
  const text = JSON.stringify({ ['x'.repeat(200_000)]: Array.from({ length: 50_000 }, () => 0) });
  const read = readJson(text);
  expect('places' in read && read.places.size).toBe(1);
});
