import fc from 'fast-check';
import { translatedEntities } from '../../../../contract/languages/translationTerms';
import { batchesOf, maskTerms, translateAll } from './engines/engine';
import type { Engine } from './engines/engine';
import { opencc } from './engines/opencc';
import { readFile } from './exchange';
import { isIntact } from './protected';
import { readTextId, stateOf, textHash, textId } from './states';

const source = textHash('source');
const other = textHash('other');
test.each([
  [source, null, undefined, 'missing'],
  [source, 't', undefined, 'reviewed'],
  [source, 't', { state: 'machine', sourceHash: source, textHash: 't' }, 'machine'],
  [source, 't', { state: 'draft', sourceHash: source, textHash: 't' }, 'draft'],
  [source, 't', { state: 'reviewed', sourceHash: other, textHash: 't' }, 'outdated'],
  [source, 't', { state: 'machine', sourceHash: other, textHash: 'changed elsewhere' }, 'reviewed'],
] as const)('the state of case %# follows from mark, source and text', (ofSource, text, mark, state) => {
  expect(stateOf(ofSource, text, mark)).toBe(state);
});

test('the name of a text leads back to it', () => {
  const part = fc.array(fc.constantFrom('a', 'b', ':', '%', '/', ' ', '茶', '\n', '_'), { maxLength: 6 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.constantFrom(...translatedEntities), part, part, part, (entity, group, id, field) => {
      const key = { entity, group, id, field: `f${field}` };
      expect(readTextId(textId(key))).toEqual(key);
    }),
  );
});
test.each(['', 'record', 'record:a:b', 'record:a:b:', 'page:a:b:c', 'theme:::%E0%A4%A'])('%j names no text', (name) => {
  expect(readTextId(name)).toBe(null);
});

test.each([
  ['Hello {name}', '{name}，你好', 'text', true],
  ['Hello {name}', '你好', 'text', false],
  ['{{ count }} items', '{{ count }} 项', 'text', true],
  ['%s of %2$d', '%2$d 中的 %s', 'text', true],
  ['100%', '百分之百', 'text', true],
  ['<p>Tea <b>house</b></p>', '<p><b>茶馆</b></p>', 'html', true],
  ['<p>Tea <b>house</b></p>', '<p>茶馆</p>', 'html', false],
  ['<a href="/a">x</a>', '<a href="/b">x</a>', 'html', false],
  ['<img alt="tea" src="/a">', '<img src="/a" alt="茶">', 'html', true],
  ['a < b', 'a 小于 b', 'text', true],
] as const)('%j may become %j (%s): %s', (before, after, format, intact) => {
  expect(isIntact(before, after, format)).toBe(intact);
});

const signal = new AbortController().signal;
const convert = (text: string, format: 'text' | 'html' = 'text', to = 'zh-Hant') => opencc.translate({ from: 'zh-Hans', to, format, texts: [text], signal });
test('OpenCC converts texts and leaves tags and placeholders', async () => {
  expect(await convert('软件 {简体} 头发与发展')).toEqual(['軟件 {简体} 頭髮與發展']);
  expect(await convert('<a href="/发展">发展</a>', 'html')).toEqual(['<a href="/发展">發展</a>']);
  expect(await convert('软件', 'text', 'zh-Hant-TW')).toEqual(['軟體']);
  expect(await opencc.translate({ from: 'zh-Hant', to: 'zh-Hans', format: 'text', texts: ['頭髮'], signal })).toEqual(['头发']);
});
test.each([
  ['zh-Hans', 'zh-Hant', true],
  ['zh-Hant-HK', 'zh-Hans', true],
  ['zh-Hant', 'zh-Hant-TW', false],
  ['zh-Hans', 'en', false],
  ['ja', 'zh-Hans', false],
])('OpenCC from %s to %s: %s', (from, to, supported) => {
  expect(opencc.supports(from, to)).toBe(supported);
});

test('terms of the glossary are put in place of their translation', async () => {
  const terms = [
    { source: '茶馆', target: '茶館' },
    { source: '茶馆软件', target: 'Teaware' },
  ];
  expect(await translateAll(opencc, { from: 'zh-Hans', to: 'zh-Hant', format: 'text', texts: ['茶馆软件在茶馆发展'], signal }, terms)).toEqual([
    'Teaware在茶館發展',
  ]);
  expect(maskTerms('nothing', terms).masked).toBe('nothing');
});
test.each([
  ['text', 'Hello {name}, your name', 'Hello {name}, your 名字'],
  ['html', '<a href="/name">name</a>', '<a href="/name">名字</a>'],
  ['text', 'a term of the name', 'a 术语 of the 名字'],
] as const)('terms in %s leave placeholders, tags and each other alone: %j', async (format, text, expected) => {
  const terms = [
    { source: 'name', target: '名字' },
    { source: 'term', target: '术语' },
  ];
  const same: Engine = { ...opencc, translate: async ({ texts }) => texts };
  expect(await translateAll(same, { from: 'en', to: 'zh-Hans', format, texts: [text], signal }, terms)).toEqual([expected]);
});
test.each(['{{', '{%', '<a', '{% % '])('many beginnings without an end are read once: %j', (beginning) => {
  const text = beginning.repeat(50_000);
  expect(isIntact(text, text, 'html')).toBe(true);
});
test.each(['\u0000', '\ud83c'])('a file with the character %j is refused', (character) => {
  const content = Buffer.from(JSON.stringify({ texts: [{ id: 'theme:::a', target: `a${character}` }] })).toString('base64');
  expect(() => readFile(content, 'json')).toThrow(expect.objectContaining({ code: 'invalid_fields' }));
});
test('a translation without a placeholder or a tag of its source is not used', async () => {
  const careless: Engine = { ...opencc, translate: async ({ texts }) => texts.map((text) => text.replaceAll(/[{<].*?[}>]/g, '')) };
  const batch = { from: 'zh-Hans', to: 'zh-Hant', signal } as const;
  expect(await translateAll(careless, { ...batch, format: 'text', texts: ['茶 {name}', '茶'] }, [])).toEqual([null, '茶']);
  expect(await translateAll(careless, { ...batch, format: 'html', texts: ['<p>茶</p>'] }, [])).toEqual([null]);
});
test('batches fit into the limits of a service and keep the order', () => {
  expect(batchesOf([3, 3, 5, 9, 1, 1, 1], (one) => one, { texts: 3, characters: 6 })).toEqual([[3, 3], [5], [9], [1, 1, 1]]);
});
