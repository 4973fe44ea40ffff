import fc from 'fast-check';
import { parseUrl } from '../../../../contract/parseUrl';
import { createResolver, noParameters, normalized } from './normalize';

test('links resolve as the URL Standard says, whatever is taken a shorter way', () => {
  const parts = fc.constantFrom(
    '/',
    '//',
    'a',
    'B',
    '.',
    '..',
    '%2f',
    '%',
    ':',
    '@',
    '?',
    '#',
    '&b=1',
    ' ',
    '\t',
    '\\',
    '中',
    'é',
    '~',
    "'",
    '|',
    '[',
    '"',
    ';',
    '=',
    '+',
  );
  const start = fc.constantFrom(
    '',
    '/',
    'https://example.com/',
    'https://example.com',
    'HTTPS://Example.com/',
    'https://example.com:443/',
    'https://example.com.evil/',
    '//example.com/',
  );
  const bases = ['https://example.com/dir/page', 'https://example.com:8443/', 'http://example.com/?q'];
  fc.assert(
    fc.property(fc.constantFrom(...bases), start, fc.array(parts, { maxLength: 6 }), (base, first, rest) => {
      const written = first + rest.join('');
      const href = written.trim();
      const expected = parseUrl(href, base);
      const url = expected === null ? null : normalized(expected);
      expect(createResolver(new URL(base), null, noParameters)(written)).toEqual(url === null ? null : { url, fragment: expected?.hash.slice(1) });
    }),
    { numRuns: 2000 },
  );
});
