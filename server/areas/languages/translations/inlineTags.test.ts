import fc from 'fast-check';
import { fromPlain, hasSameTags, inlineCodes, plainOf, withPlaceholders, withTags } from './inlineTags';
import { xliff } from './formats/xliff';

const source = '<p>Tea &amp; <strong>house</strong> &lt;b&gt;<br>R&amp;D &amp;lt;</p><p><a href="/a" title="x">More</a></p>';
const codes = inlineCodes(source);
const inFile = withPlaceholders(source, codes) ?? '';

test('tags are numbered and text is readable', () => {
  expect(inFile).toBe('<1>Tea & <2>house</2> &lt;b><3/>R&D &amp;lt;</1><4><5>More</5></4>');
  expect(withTags(inFile, codes)).toBe(source);
  expect(plainOf('&lt;b> &amp;lt;')).toBe('<b> &lt;');
});

test.each([
  ['moved', '<4><5>Plus</5></4><1><3/><2>Maison</2> de thé</1>', '<p><a href="/a" title="x">Plus</a></p><p><br><strong>Maison</strong> de thé</p>'],
  [
    'with bare characters of HTML',
    '<1><2>a</2><3/>R&D < 1</1><4><5>b</5></4>',
    '<p><strong>a</strong><br>R&amp;D &lt; 1</p><p><a href="/a" title="x">b</a></p>',
  ],
  ['single instead of a pair', '<1><2>a</2><3/></1><4><5/></4>', null],
  ['without one of them', '<1>a</1><4><5>b</5></4>', null],
  ['twice', '<1><2>a</2><2>b</2><3/></1><4><5>c</5></4>', null],
  ['nested wrongly', '<1><2>a</1></2><3/><4><5>c</5></4>', null],
  ['left open', '<1><2>a</2><3/><4><5>c</5></4>', null],
  ['of other numbers', '<1><2>a</2><3/></1><4><6>c</6></4>', null],
  ['beside tags', '<1><2>a</2><3/><i>b</i></1><4><5>c</5></4>', null],
])('placeholders %s', (_name, text, html) => {
  expect(withTags(text, codes)).toBe(html);
});

test('attributes of the present translation stay', () => {
  const translation = '<p>Thé <strong>m</strong><br></p><p><a href="/a" title="y">Plus</a></p>';
  const own = inlineCodes(source, translation);
  expect(withTags(withPlaceholders(translation, own) ?? '', own)).toBe(translation);
  expect(withPlaceholders('<p><i>a</i></p>', codes)).toBe(null);
});

test.each([
  ['<p>a <b>b</b></p>', '<p><b>b</b> a</p>', true],
  ['<p>a <b>b</b></p>', '<p>a </b>b<b></p>', false],
  ['<p><b><i>a</i></b></p>', '<p><b><i>a</b></i></p>', false],
  ['<a href="/a">b</a>', '<a href="/b">b</a>', false],
])('%j and %j have the same tags: %s', (one, other, same) => {
  expect(hasSameTags(one, other)).toBe(same);
});

test('rich text survives a round trip through placeholders, plain text and XLIFF', () => {
  const texts = fc.array(fc.constantFrom('茶', ' ', '&amp;', '&lt;', '&gt;', '"', '1', '/', 'lt;', '#39;', '\n'), { maxLength: 5 }).map((all) => all.join(''));
  const { html } = fc.letrec<{ html: string; element: string }>((tie) => ({
    html: fc.array(fc.oneof({ maxDepth: 3 }, texts, tie('element')), { maxLength: 4 }).map((all) => all.join('')),
    element: fc
      .tuple(fc.constantFrom('p', 'b', 'a href="/x"', 'br', 'img src="/y" alt="z"'), tie('html'))
      .map(([tag, inner]) => (/^(?:br|img)/.test(tag) ? `<${tag}>` : `<${tag}>${inner}</${tag.split(' ')[0] ?? ''}>`)),
  }));
  fc.assert(
    fc.property(html, (text) => {
      const own = inlineCodes(text);
      const written = withPlaceholders(text, own) ?? '';
      expect(withTags(written, own)).toBe(text);
      const unit = { id: 'a', note: '', from: 'en', source: written, text: written, state: 'draft', format: 'html', codes: own } as const;
      const head = { tag: 'ja', site: 's' };
      const [read] = xliff.read(xliff.head(head) + xliff.text(unit, null, head) + xliff.foot(unit));
      expect(withTags(read?.text ?? '', own)).toBe(text);
      expect(plainOf(fromPlain(plainOf(written)))).toBe(plainOf(written));
    }),
  );
});

test.each(['</b>', '<b>', '<b></i>'])('many tags without a partner are read once: %j', (tag) => {
  const text = tag.repeat(30_000);
  expect(hasSameTags(text, text)).toBe(true);
});
