import fc from 'fast-check';
import { exchangeFormats } from '../../../../../contract/languages/translationTerms';
import type { ExchangeFormat } from '../../../../../contract/languages/translationTerms';
import { FormatError, decodeFile } from './format';
import type { ExportedText } from './format';
import { formats } from './index';

const file = { tag: 'zh-Hant', site: 'Tea & "Co" <house>' };
function written(name: ExchangeFormat, texts: readonly ExportedText[]): string {
  const format = formats[name];
  const body = texts.map((text, at) => format.text(text, texts[at - 1] ?? null, file));
  return [format.head(file), ...body, format.foot(texts.at(-1) ?? null)].join('');
}
const text = (change: Partial<ExportedText> = {}): ExportedText => ({
  id: 'record:t_a:1:f_b',
  note: 'Teas · Name',
  from: 'zh-Hans',
  source: '茶',
  text: '茶葉',
  state: 'reviewed',
  format: 'text',
  codes: [],
  ...change,
});
const read = (name: ExchangeFormat, content: Buffer | string) => {
  const { text: decoded, encoding } = decodeFile(Buffer.from(content), name);
  return { texts: formats[name].read(decoded), encoding };
};

/** What a text of a site may contain: no control characters except line breaks and tabs. */
const anyText = fc
  .array(fc.constantFrom(...Array.from('茶a"\'\\<>&;=+-@,\n\t{}%'), '<b>', ']]>', '&amp;', String.raw`\n`, '=1+1', '🍵', '#', 'msgid "'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

test.each(exchangeFormats)('texts survive a round trip through %s', (name) => {
  fc.assert(
    fc.property(fc.array(fc.record({ source: anyText, text: anyText, from: fc.constantFrom('zh-Hans', 'en') }), { maxLength: 5 }), (all) => {
      const texts = all.map((one, at) => text({ ...one, id: `theme:::${String(at)}` }));
      expect(read(name, written(name, texts)).texts).toEqual(texts.map(({ id, source, text: translation }) => ({ id, source, text: translation })));
    }),
  );
});

test.each(exchangeFormats)('a missing translation is empty in %s', (name) => {
  expect(read(name, written(name, [text({ text: null, state: 'missing' })])).texts[0]?.text).toBe('');
});

test('cells never begin a formula', () => {
  fc.assert(
    fc.property(anyText, (source) => {
      const [, row = ''] = written('csv', [text({ source, text: source })]).split(/\r\n(?=record)/);
      expect(row.replace(/^[^,]*,[^,]*,/, '')).not.toMatch(/^"?[=+\-@\t]/);
    }),
  );
});

test.each([' =1+1', '＝1+1', '\u200b@a'])('the cell %j is guarded as in other files', (source) => {
  expect(written('csv', [text({ source, text: source })])).toContain(`,'${source},'${source},`);
  expect(read('csv', written('csv', [text({ source, text: source })])).texts[0]?.text).toBe(source);
});

test('a PO file in GBK is read', () => {
  const content = Buffer.concat([
    Buffer.from('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=GBK\\n"\n\nmsgctxt "theme:::menu"\nmsgid "Menu"\nmsgstr "'),
    Buffer.from([0xb2, 0xcb, 0xb5, 0xa5]),
    Buffer.from('"\n'),
  ]);
  expect(read('po', content)).toEqual({ texts: [{ id: 'theme:::menu', source: 'Menu', text: '菜单' }], encoding: 'gb18030' });
});

test('a CSV file in GBK without a mark is read', () => {
  const content = Buffer.concat([Buffer.from('id,target\r\ntheme:::menu,'), Buffer.from([0xb2, 0xcb, 0xb5, 0xa5]), Buffer.from('\r\n')]);
  expect(read('csv', content).texts).toEqual([{ id: 'theme:::menu', source: null, text: '菜单' }]);
});

test('UTF-16 is read by its mark', () => {
  const content = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('id\ttarget\nx\t茶\n', 'utf16le')]);
  expect(read('csv', content)).toEqual({ texts: [{ id: 'x', source: null, text: '茶' }], encoding: 'utf-16le' });
});

test('XLIFF with entities of XML is read, also inside inline elements', () => {
  const content =
    '<xliff version="1.2"><file><body><trans-unit id="a"><source>x</source><target>A &amp; <g id="1">&#x8336;</g> &lt;b&gt;</target>' +
    '<alt-trans><target>other</target></alt-trans></trans-unit></body></file></xliff>';
  expect(read('xliff', content).texts).toEqual([{ id: 'a', source: 'x', text: 'A & 茶 <b>' }]);
});

test.each([
  ['xliff', '<!DOCTYPE x [<!ENTITY a "b">]><xliff><body/></xliff>'],
  ['xliff', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><xliff><trans-unit id="a"><target>&a;</target></trans-unit></xliff>'],
  ['xliff', '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd"><xliff><body/></xliff>'],
  ['xliff', '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1/x">%a;]><xliff><body/></xliff>'],
  ['xliff', `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${String(n)} "${'&a;'.repeat(10)}">`).join('')}]><x>&a8;</x>`],
  ['xliff', '\ufeff <?xml version="1.0"?><!-- a --><!doctype x><xliff/>'],
  ['xliff', '<xliff><trans-unit id="a"><source>&unknown;</source></trans-unit></xliff>'],
  ['xliff', '<xliff><body></xliff>'],
  ['xliff', 'no XML'],
  ['json', '{"texts":{}}'],
  ['json', '[1,'],
  ['csv', 'name,target\na,b\n'],
  ['po', 'msgid "a\nmsgstr "b"\n'],
  ['po', 'hello'],
] as const)('a broken file of %s is refused: %s', (name, content) => {
  expect(() => read(name, content)).toThrow(FormatError);
});

test('fuzzy and outdated entries of PO are not imported', () => {
  expect(read('po', written('po', [text({ state: 'outdated' })])).texts[0]?.text).toBe('');
  expect(read('po', '#~ msgctxt "old"\n#~ msgid "a"\n#~ msgstr "b"\n').texts).toEqual([]);
});

test('bytes that are not in the named encoding are refused', () => {
  expect(() => read('xliff', Buffer.concat([Buffer.from('<?xml version="1.0" encoding="UTF-8"?><a>'), Buffer.from([0xff, 0xff])]))).toThrow(FormatError);
  expect(() => read('po', 'msgid ""\nmsgstr "Content-Type: text/plain; charset=KLINGON\\n"\n')).toThrow(FormatError);
});
