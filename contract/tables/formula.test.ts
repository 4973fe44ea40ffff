import fc from 'fast-check';
import { fieldByName, fieldsIn, formulaLimits, parseFormula, templateParts, withIds, withTitles } from './formula';
import type { FormulaNode } from './formula';
import { formulaFunctions, functionNamed } from './formulaFunctions';
import { checkFormula, unitOf } from './formulaTypes';
import type { FieldTypes } from './formulaTypes';
import { caseCounts } from '../../test/support/caseCounts';

const field = (id: string, title: string, key = id, aliases: string[] = []) => ({ id, title, key, aliases });
const types: FieldTypes = (name) => ({ n: 'number', t: 'text', b: 'boolean', d: 'date', m: 'datetime', o: 'object' }[name] as never) ?? 'unknown_field';
const typeOf = (source: string): string => {
  const checked = checkFormula(source, types);
  return checked.error
    ? `${checked.error.code} at ${checked.error.at}+${checked.error.length}${checked.error.name && ` (${checked.error.name})`}`
    : checked.type;
};
/** A tree as text with all its parentheses. */
const formulaText = (node: FormulaNode): string => {
  switch (node.kind) {
    case 'number':
      return node.text;
    case 'text':
      return JSON.stringify(node.text);
    case 'boolean':
      return String(node.value);
    case 'field':
      return `{${node.name}}`;
    case 'minus':
      return `(-${formulaText(node.of)})`;
    case 'binary':
      return `(${formulaText(node.left)}${node.op}${formulaText(node.right)})`;
    case 'call':
      return `${node.name}(${node.args.map(formulaText).join(',')})`;
  }
};
const tree = (source: string): string => {
  const { node, syntaxError: error } = parseFormula(source);
  return node ? formulaText(node) : `${error.code} at ${error.at}`;
};

test('operators follow precedence and associate from left to right', () => {
  expect(tree('1 + 2 * 3 - 4')).toBe('((1+(2*3))-4)');
  expect(tree('-{n} * 2')).toBe('((-{n})*2)');
  expect(tree('{a} & 1 + 2 = "x"')).toBe('(({a}&(1+2))="x")');
  expect(tree('8 / 4 / 2 % 3')).toBe('(((8/4)/2)%3)');
  expect(tree('(1 + 2) * 3')).toBe('((1+2)*3)');
  expect(tree('1 <> 2 == 3')).toBe('((1!=2)=3)');
  expect(tree('if(true, sum(1,2), FALSE())')).toBe('IF(true,SUM(1,2),false)');
});

test('full-width punctuation is accepted', () => {
  expect(tree('IF（{库存}≥１，“有货”，‘缺货’）')).toBe('unexpected at 8');
  expect(tree('IF（{库存} ≥ 1，“有货”，‘缺货’）')).toBe(tree(`IF({库存} >= 1, "有货", '缺货')`));
  expect(tree('｛单价｝×2÷3－1')).toBe(tree('{单价}*2/3-1'));
  expect(tree('{a}　≠　{b}')).toBe('({a}!={b})');
});

test('strings and field titles may contain any character', () => {
  expect(tree(String.raw`"say \"hi\"\n" & 'it''s'`)).toBe(String.raw`("say \"hi\"\n"&"it's")`);
  expect(tree(String.raw`{a \} b}`)).toBe('{a } b}');
  expect(tree('""')).toBe('""');
});

test('syntax errors have a position', () => {
  expect(tree('')).toBe('empty at 0');
  expect(tree('  \n')).toBe('empty at 0');
  expect(tree('1 +')).toBe('unfinished at 3');
  expect(tree('SUM(1, 2')).toBe('unfinished at 8');
  expect(tree('SUM(1,,2)')).toBe('unexpected at 6');
  expect(tree('"abc')).toBe('unclosed_text at 0');
  expect(tree('1 + {abc')).toBe('unclosed_field at 4');
  expect(tree('1 2')).toBe('unexpected at 2');
  expect(tree('1 # 2')).toBe('unexpected at 2');
  expect(tree('价格 * 2')).toBe('unexpected at 0');
  expect(tree('12ab')).toBe('bad_number at 0');
  expect(tree('1'.repeat(29))).toBe('bad_number at 0');
});

test('length, depth and size are limited', () => {
  expect(tree(`${'('.repeat(50)}1${')'.repeat(50)}`)).toBe('1');
  expect(tree(`${'('.repeat(51)}1${')'.repeat(51)}`)).toBe('too_deep at 50');
  expect(tree('-'.repeat(5000))).toBe('too_deep at 50');
  expect(tree(`1${'+1'.repeat(499)}`)).toContain('+1)');
  expect(tree(`1${'+1'.repeat(600)}`)).toBe('too_costly at 0');
  expect(tree(' '.repeat(formulaLimits.length + 1))).toBe(`too_long at ${formulaLimits.length}`);
  expect(tree(`SUM(${Array.from({ length: 101 }, () => '1').join(',')})`)).toBe('wrong_count at 0');
});

test('each expression has the expected type', () => {
  expect(typeOf('{n} * 1.2')).toBe('number');
  expect(typeOf('IF({n} > 0, {n}, "缺货")')).toBe('text');
  expect(typeOf('IF({t}, {d}, NOW())')).toBe('datetime');
  expect(typeOf('IF({b}, 1)')).toBe('number');
  expect(typeOf('BLANK()')).toBe('text');
  expect(typeOf('{d} + 7')).toBe('date');
  expect(typeOf('{d} - TODAY()')).toBe('number');
  expect(typeOf('{d} > "2026-01-31"')).toBe('boolean');
  expect(typeOf('{m} = TODAY()')).toBe('boolean');
  expect(typeOf('DATEADD({d}, 3, "天")')).toBe('date');
  expect(typeOf('DATEADD({d}, 3, "hours")')).toBe('datetime');
  expect(typeOf('MAX({d}, "2026-01-31")')).toBe('date');
  expect(typeOf('SWITCH({t}, "a", 1, "b", 2)')).toBe('number');
  expect(typeOf('SWITCH({t}, "a", 1, "b")')).toBe('text');
  expect(typeOf('ISBLANK({o})')).toBe('boolean');
  expect(typeOf('COALESCE(BLANK(), {n}, 0)')).toBe('number');
  expect(typeOf('concatenate({n}, {d}, {b}, {t})')).toBe('text');
});

test('type errors are reported with their position', () => {
  expect(typeOf('{t} * 2')).toBe('wrong_type at 0+3 (text)');
  expect(typeOf('{n} = {t}')).toBe('wrong_type at 6+3 (text)');
  expect(typeOf('{d} > "tomorrow"')).toBe('wrong_type at 6+10 (text)');
  expect(typeOf('{d} > "2026-02-30"')).toBe('wrong_type at 6+12 (text)');
  expect(typeOf('{o}')).toBe('wrong_type at 0+3 (object)');
  expect(typeOf('{o} & ""')).toBe('wrong_type at 0+3 (object)');
  expect(typeOf('1 + {gone}')).toBe('unknown_field at 4+6 (gone)');
  expect(typeOf('1 + FROB(1)')).toBe('unknown_function at 4+4 (FROB)');
  expect(typeOf('LEN()')).toBe('wrong_count at 0+3 (LEN)');
  expect(typeOf('LEN("a", "b")')).toBe('wrong_count at 0+3 (LEN)');
  expect(typeOf('DATEADD({d}, 1, "fortnight")')).toBe('bad_unit at 16+11 (fortnight)');
  expect(typeOf('TEXT({n}, "0.0.0")')).toBe('bad_format at 10+7 (0.0.0)');
  expect(typeOf('TEXT({t}, "0")')).toBe('bad_format at 10+3 (0)');
  expect(typeOf('MAX({n}, {d})')).toBe('wrong_type at 4+3 (number)');
  expect(typeOf('1 - {d}')).toBe('wrong_type at 0+7 (date)');
  expect(typeOf('IF({b}, {o}, 1)')).toBe('wrong_type at 8+3 (object)');
});

test('any text is parsed or refused with a position, without throwing', () => {
  const part = fc.constantFrom(
    '{n}',
    '{t}',
    '{d}',
    '1',
    '.5',
    '"a"',
    '(',
    ')',
    ',',
    '+',
    '-',
    '*',
    '/',
    '%',
    '&',
    '=',
    '<',
    '>=',
    'IF',
    'SUM(',
    'TEXT(',
    'true',
    '{',
    '"',
    ' ',
    '，',
    '价',
  );
  const cases = caseCounts();
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.array(part, { maxLength: 40 }).map((parts) => parts.join('')),
      ),
      (source) => {
        const { error } = checkFormula(source, types);
        if (!error) return;
        cases.count();
        expect(error.at).toBeGreaterThanOrEqual(0);
        expect(error.at + error.length).toBeLessThanOrEqual(source.length);
      },
    ),
  );
  cases.expectAtLeast(11);
});

const fields = [
  field('f_aaaaaaaaaaaa', '单价', 'price', ['cost']),
  field('f_bbbbbbbbbbbb', '数量', 'count'),
  field('f_cccccccccccc', '备注', 'note'),
  field('f_dddddddddddd', '备注', 'note_2'),
];
test('fields are stored by id and shown by title, else key', () => {
  const storedFormula = withIds('{单价} * {count}  + {cost} & "{数量}" & {nothing}', fields);
  expect(storedFormula).toBe('{f_aaaaaaaaaaaa} * {f_bbbbbbbbbbbb}  + {f_aaaaaaaaaaaa} & "{数量}" & {nothing}');
  expect(withTitles(storedFormula, fields)).toBe('{单价} * {数量}  + {单价} & "{数量}" & {nothing}');
  expect(withTitles('{f_cccccccccccc}&{f_zzzzzzzzzzzz}', fields)).toBe('{note}&{f_zzzzzzzzzzzz}');
  expect(fieldByName('备注', fields)).toBe('ambiguous_field');
  expect(withIds('https://x.test/{单价}?q={note}', fields, true)).toBe('https://x.test/{f_aaaaaaaaaaaa}?q={f_cccccccccccc}');
  expect(templateParts('a{price}b{x}')).toEqual([{ text: 'a' }, { field: 'price' }, { text: 'b' }, { field: 'x' }]);
});

test('a field whose title and key name other fields is shown by its id', () => {
  const sharedTitle = [field('f_aaaaaaaaaaaa', '备注', 'note'), field('f_bbbbbbbbbbbb', '备注', 'remark'), field('f_cccccccccccc', 'note', 'other')];
  expect(withTitles('{f_aaaaaaaaaaaa}&{f_bbbbbbbbbbbb}&{f_cccccccccccc}', sharedTitle)).toBe('{f_aaaaaaaaaaaa}&{remark}&{note}');
});
test('titles and ids convert back and forth for any field names', () => {
  const name = fc.oneof(
    fc.constantFrom('a', 'b', '}', '{', '\\', 'a}b', 'price'),
    fc
      .string({ minLength: 1, unit: 'grapheme' })
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ title: name, key: fc.stringMatching(/^[a-z]{1,3}$/) }), { selector: (one) => one.key, minLength: 1, maxLength: 4 }),
      (named) => {
        const all = named.map((one, i) => field(`f_${'abcd'[i]}aaaaaaaaaaa`, one.title, one.key));
        const storedFormula = all.map((one) => `{${one.id}}`).join(' + ');
        expect(withIds(withTitles(storedFormula, all), all)).toBe(storedFormula);
        const { node } = parseFormula(withTitles(storedFormula, all));
        expect(node && fieldsIn(node).length).toBe(all.length);
      },
    ),
  );
});

test('every function has descriptions in both languages and a matching signature', () => {
  expect(new Set(formulaFunctions.map((one) => one.name)).size).toBe(formulaFunctions.length);
  for (const one of formulaFunctions) {
    for (const lang of ['zh', 'en'] as const) {
      expect(one.says[lang].length).toBeGreaterThan(1);
      const inside = one.signature[lang].slice(one.name.length + 1, -1);
      const shownArgs = inside === '' ? [] : inside.split(', ').filter((arg) => arg !== '…');
      // Further arguments may be named before the ellipsis.
      if (!one.rest) expect(shownArgs.length).toBe(one.params.length);
      expect(shownArgs.filter((arg) => !arg.startsWith('[')).length).toBeGreaterThanOrEqual(Math.min(one.least, 3));
    }
    expect(functionNamed(one.name)).toBe(one);
  }
  expect(unitOf('M')).toBe('month');
  expect(unitOf('m')).toBe('minute');
  expect(unitOf('个月')).toBe('month');
});
