import fc from 'fast-check';
import { attributeId, attributesOf, readAttributeId, withAttribute } from './attributes';
import { inlineCodes, withPlaceholders, withTags } from './inlineTags';

const text = fc
  .array(fc.constantFrom('茶', 'a', ' ', '&', '"', '<', '>', "'", '=', 'alt="', '&amp;', '/'), { minLength: 1, maxLength: 6 })
  .map((all) => all.join(''));
const stored = (one: string): string => one.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const tag = fc
  .record({ src: fc.constantFrom('/x', '/y'), alt: fc.option(text), title: fc.option(text) })
  .map(
    ({ src, alt, title }) =>
      `<img src="${src}"${alt === null ? '' : ` alt="${stored(alt)}"`}${title === null ? '' : ` title="${stored(title)}"`}><a href="${src}"${title === null ? '' : ` title="${stored(title)}"`}>b</a>`,
  );

test('texts of attributes survive a round trip', () => {
  fc.assert(
    fc.property(fc.array(tag, { minLength: 1, maxLength: 4 }), fc.array(text, { minLength: 16, maxLength: 16 }), (tags, written) => {
      const source = `<p>${tags.join('茶')}</p>`;
      const codes = inlineCodes(source);
      const before = attributesOf(codes);
      const withTexts = (texts: readonly string[]) => {
        const changed = [...codes];
        for (const [at, { n, name }] of before.entries()) {
          const code = changed[n - 1];
          if (code) changed[n - 1] = withAttribute(code, name, texts[at] ?? '');
        }
        return withTags(withPlaceholders(source, codes) ?? '', changed) ?? '';
      };
      const translation = withTexts(written);
      const own = inlineCodes(translation);
      expect(own.map(({ name }) => name)).toEqual(codes.map(({ name }) => name));
      for (const { n, name, text: one } of attributesOf(own)) expect(one).toBe(written[before.findIndex((place) => place.n === n && place.name === name)]);
      expect(withTexts(before.map((one) => one.text))).toBe(source);
      for (const place of before)
        expect(readAttributeId(attributeId('record:t:1:f%3A', place))).toEqual({ textId: 'record:t:1:f%3A', place: { n: place.n, name: place.name } });
    }),
  );
});

test.each(['record:t:1:f', 'record:t:1:f:alt', 'record:t:1:f:1.src', ':1.alt:', 'theme:::404.title'])('%s names no attribute', (id) => {
  expect(readAttributeId(id)).toBe(null);
});
