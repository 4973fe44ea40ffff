import fc from 'fast-check';
import { pseudoHtml, pseudoText } from './pseudo';

const placeholder = fc.constantFrom('{name}', '{{ record.title }}', '{% if a %}', '%s', '%1$d', 'https://tea.example/a?b=1', 'tea@example.com');
const word = fc.constantFrom('Tea', 'house', '茶', '春天的茶', 'чай', '42', '–', ' ', '\n', 'a < b', '{', '&', '[x]');
const plain = fc.array(fc.oneof(word, placeholder), { maxLength: 12 }).map((parts) => parts.join(' '));
const escaped = plain.map((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
const inline = fc.oneof(
  escaped,
  escaped.map((text) => `<a href="/x?a=1&amp;b=${text.length}" title="Tea">${text}</a>`),
  escaped.map((text) => `<b>${text}</b>`),
  escaped.map((text) => `<code>${text}</code>`),
  fc.constant('<br><img src="/_r/1/a.jpg" alt="&lt;Tea&gt; {name}">'),
);
const blocks = fc.array(
  fc
    .tuple(fc.constantFrom('p', 'h2', 'li', 'td', 'pre'), fc.array(inline, { maxLength: 4 }))
    .map(([name, parts]) => `<${name} id="a">${parts.join('')}</${name}>`),
  { maxLength: 4 },
);
const fixed = /\{\{[^{}]*\}\}|\{%[^{}]*%\}|\{[\w.]+\}|%(?:\d\$)?[sd]\b|https?:[^\s<"\]]+|[\w.]+@[\w.]+|&\w+;/g;
const tagsIn = (html: string): string[] => (html.match(/<[^<>]*>/g) ?? []).map((tag) => tag.replaceAll(/ (?:alt|title)="[^"]*"/g, ''));
const codeIn = (html: string): string[] => (html.match(/<(code|pre)[ >].*?<\/\1>/gs) ?? []).map((one) => one.replaceAll(/<[^<>]*>/g, ''));
const letters = (text: string): number => text.replaceAll(/<[^<>]*>/g, '').match(/[\p{L}\p{N}\u3280-\u3289]/gu)?.length ?? 0;

test('placeholders, addresses, tags and code survive, and every text grows', () => {
  fc.assert(
    fc.property(
      plain,
      fc.array(blocks, { maxLength: 2 }).map((all) => all.flat().join('')),
      (text, html) => {
        const [newText, newHtml] = [pseudoText(text), pseudoHtml(html)];
        expect(newText.match(fixed)).toEqual(text.match(fixed));
        expect(newHtml.match(fixed)).toEqual(html.match(fixed));
        expect(tagsIn(newHtml)).toEqual(tagsIn(html));
        expect(codeIn(newHtml)).toEqual(codeIn(html));
        expect(letters(newText)).toBeGreaterThanOrEqual(letters(text) + Math.floor(letters(text.replaceAll(fixed, '')) * 0.25));
        if (text.trim() === '') expect(newText).toBe(text);
        else expect(newText.trim()).toMatch(/^(?:\[.*\]|〔.*〕)$/s);
      },
    ),
  );
});

test.each([
  ['Read more', '[Ŕéáď ḿóŕé óñé]'],
  ['', ''],
  ['Hello {name}!', '[Ĥéĺĺó {name}! óñ]'],
  ['关于我们', '〔关于我们㊀㊁〕'],
  ['茶 https://tea.example/ ', '〔茶 https://tea.example/ ㊀〕 '],
])('%j becomes %j', (text, expected) => {
  expect(pseudoText(text)).toBe(expected);
});

test('a block may have any number of placeholders', () => {
  const many = '{a}'.repeat(200_000);
  expect(pseudoHtml(`<p>${many}</p>`) === `<p>[${many}]</p>`).toBe(true);
});

test('a block is one text whose tags stay where they are', () => {
  expect(pseudoHtml('<p>Tea <a href="/a">house</a>, <code>npm i</code></p><pre>x</pre><ul><li>茶</li></ul><img src="a" alt="Tea">')).toBe(
    '<p>[Ťéá <a href="/a">ĥóúšé</a>, <code>npm i</code> óñé]</p><pre>x</pre><ul><li>〔茶㊀〕</li></ul><img src="a" alt="[Ťéá óñ]">',
  );
});
