import fc from 'fast-check';
import iconv from 'iconv-lite';
import { parse as parseTree } from 'parse5';
import { charsetOf, decode } from './decode';
import { normalizeUrl } from './normalize';
import { parsePage } from './parse';
import { hamming } from './textMeasures';

const page = (html: string | Buffer, headers: Record<string, string> = {}, url = 'https://example.com/dir/page') =>
  parsePage({ url, headers: { 'content-type': 'text/html', ...headers }, body: Buffer.from(html as string) });

describe('links', () => {
  type Node = {
    readonly nodeName: string;
    readonly attrs?: readonly { readonly name: string; readonly value: string }[];
    readonly childNodes?: readonly Node[];
    readonly content?: Node;
  };
  /** Addresses of `a` as the HTML Standard finds them. */
  function expected(html: string): string[] {
    const found: string[] = [];
    const walk = (node: Node): void => {
      const href = node.nodeName === 'a' ? node.attrs?.find(({ name }) => name === 'href')?.value : undefined;
      const url = href === undefined ? null : normalizeUrl(href.trim(), 'https://example.com/dir/page');
      if (url !== null) found.push(url);
      node.childNodes?.forEach(walk);
    };
    walk(parseTree(html));
    return found;
  }
  const href = fc.constantFrom(
    '/a',
    'b',
    '../c',
    '//other.example/d',
    'https://x.example/e?f=1&g=2',
    '?h',
    '#i',
    'mailto:a@b.c',
    'javascript:1',
    ' /j ',
    '/k%2f',
    'http://[bad',
    '/l?utm_source=x&m=1',
    '/中?文=1',
    '',
  );
  const link = fc
    .tuple(href, fc.constantFrom('"', "'", ''))
    .map(([to, quote]) => `<a class=x href=${quote}${quote === '' ? to.replaceAll(/[\s>]/g, '') || '/z' : to.replaceAll('&', '&amp;')}${quote}>text</a>`);
  const part = fc.oneof(
    { weight: 4, arbitrary: link },
    fc.constantFrom(
      '<p>',
      '</p>',
      '<div>',
      '</div>',
      '<ul><li>',
      '<!-- <a href="/no">x</a> -->',
      '<script>"<a href=/no>"</script>',
      '<textarea><a href=/no></textarea>',
      '<table><tr><td>',
      '<br/>',
      '&lt;a href=/no&gt;',
      '<b><i>',
      'text',
      '<style>a{}</style>',
      '<svg><title>x</title></svg>',
    ),
  );

  test('are those that a parser of the HTML Standard finds', () =>
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const html = `<!doctype html><html><body>${parts.join('')}`;
        const found = page(html).links.filter(({ kind }) => kind === 'a');
        expect(found.map(({ url }) => url)).toEqual(expected(html));
      }),
      { numRuns: 300 },
    ));

  test('have their place, text, fragment and relations', () => {
    const { links, facts } = page(
      '<nav><a href="/n">N</a></nav><main><a rel="nofollow ugc" href="#x"> a <b>b</b>\n</a><a href=/i><img alt="Pic" src=i.png></a><a href=/e></a></main><footer><a href="http://o.example/">O</a></footer>',
    );
    const anchors = links.filter(({ kind }) => kind === 'a');
    expect(anchors.map(({ position, anchor, fragment, nofollow, ugc }) => [position, anchor, fragment, nofollow, ugc])).toEqual([
      ['nav', 'N', '', false, false],
      ['main', 'a b', 'x', true, true],
      ['main', 'Pic', '', false, false],
      ['main', '', '', false, false],
      ['footer', 'O', '', false, false],
    ]);
    expect({ unnamed: facts.unnamedControls, counts: facts.counts, landmarks: facts.landmarks }).toMatchObject({
      unnamed: 1,
      counts: { internalLinks: 4, externalLinks: 1, images: 1 },
      landmarks: { main: true, nav: true },
    });
  });

  test.each(['search', 'toString', '__proto__'])('in elements with the role %s have no landmark', (role) => {
    expect(page(`<div role="${role}"><a href="/a">A</a></div>`).links).toMatchObject([{ position: 'other' }]);
  });
});

test('facts of head and headers are read', () => {
  const { facts } = page(
    `<html lang="en"><head><title>A &amp; B</title><meta name=description content="D"><meta name="robots" content="noindex, NoFollow"><link rel=canonical href="/c"><link rel=alternate hreflang=de href="/de">
     <meta property="og:title" content="OG"><script type="application/ld+json">{"@graph":[{"@type":"Product","name":"x","offers":{"price":1}}]}</script><script type="application/ld+json">{bad</script></head>
     <body><h1 id=a>One</h1><h2 id=a>Two</h2><form><input name=q><label for=l>L</label><input id=l><button></button></form></body></html>`,
    { 'x-robots-tag': 'googlebot: noindex, none', link: '<https://example.com/h>; rel="canonical"', 'set-cookie': 'sid=1; Secure; SameSite=Lax\nb=2' },
  );
  expect(facts).toMatchObject({
    titles: ['A & B'],
    descriptions: ['D'],
    robots: [
      { source: 'meta', agent: '*', directives: ['noindex', 'nofollow'] },
      { source: 'header', agent: 'googlebot', directives: ['noindex', 'none'] },
    ],
    canonicals: [
      { url: 'https://example.com/c', source: 'html', relative: true },
      { url: 'https://example.com/h', source: 'header' },
    ],
    hreflangs: [{ language: 'de', url: 'https://example.com/de' }],
    openGraph: { 'og:title': 'OG' },
    headings: [
      { level: 1, text: 'One' },
      { level: 2, text: 'Two' },
    ],
    duplicateIds: ['a'],
    unlabelledFields: 1,
    unnamedControls: 1,
    cookies: [
      { name: 'sid', secure: true, httpOnly: false, sameSite: 'lax' },
      { name: 'b', secure: false },
    ],
  });
  expect(facts.jsonLd.map(({ types, error }) => [types, error === null])).toEqual([
    [['Product'], true],
    [[], false],
  ]);
  expect(facts.jsonLd[0]?.properties).toEqual(['name', 'offers', 'offers.price']);
});

test('near duplicates of one template differ in few bits', () => {
  const text = Array.from({ length: 400 }, (_, at) => `word${(at * 7919) % 997}`).join(' ');
  const of = (items: number, content: string): string =>
    `<body class="v1"><header><nav class=menu></nav></header><main class="post"><article>${'<p><b>x</b></p><ul><li></li></ul>'.repeat(items)}${content}</article></main>`;
  const [one, other, changed] = [page(of(1, text)), page(of(9, text.slice(500))), page(of(1, `${text} changed a little`))];
  expect(other.template).toBe(one.template);
  expect(page('<body><div class=shop><section></section></div>').template).not.toBe(one.template);
  expect(hamming(one.simhash, changed.simhash)).toBeLessThanOrEqual(3);
  expect(hamming(one.simhash, page(of(1, text.split(' ').toReversed().join(' ').replaceAll('word', 'term'))).simhash)).toBeGreaterThan(3);
});

describe('charsets', () => {
  const chinese = '中文网页的标题和内容，这是一个用来测试的段落。'.repeat(60);
  test.each([
    ['the header before the page', iconv.encode('<meta charset=utf-8>中文', 'gbk'), 'text/html; charset=gbk', 'gb18030', '中文'],
    ['the page', iconv.encode('<meta http-equiv=content-type content="text/html; charset=gb2312">中文', 'gbk'), '', 'gb18030', '中文'],
    ['the page, with spaces,', iconv.encode('<meta charset = " gb2312 ">中文', 'gbk'), '', 'gb18030', '中文'],
    ['a byte order mark before the header', Buffer.from('\uFEFF中文'), 'text/html; charset=gbk', 'utf-8', '中文'],
    ['valid UTF-8', Buffer.from('中文'), '', 'utf-8', '中文'],
    ['a guess from a long text', iconv.encode(chinese, 'gbk'), '', 'gb18030', '中文'],
    ['a guess from a long text in Big5', iconv.encode('這個網頁的標題和內容，這是一個用來測試的段落，我們對會時'.repeat(60), 'big5'), '', 'big5', '這個'],
    ['Windows-1252 at last', Buffer.from([0x63, 0x61, 0x66, 0xe9]), '', 'windows-1252', 'café'],
    ['UTF-8 where ASCII says UTF-16', Buffer.from('<meta charset=utf-16>中'), '', 'utf-8', '中'],
  ])('%s decides', (_name, bytes, type, used, text) => {
    const found = decode(bytes, type);
    expect(found.used).toBe(used);
    expect(found.text).toContain(text);
  });

  test('gbk has the characters of gb18030, four bytes included', () => {
    expect(charsetOf('GBK')).toBe('gb18030');
    // Expectations of the Encoding Standard's index, where older decoders have private characters.
    expect(decode(Buffer.from([0xa8, 0xbc]), 'text/html; charset=gbk').text).toBe('\u1e3f');
    expect(decode(Buffer.from([0x81, 0x30, 0x81, 0x30, 0x95, 0x32, 0x82, 0x36]), 'text/html; charset=gb2312').text).toBe('\u0080\u{20000}');
  });

  test('bytes that are not of the declared charset are noticed', () => {
    expect(decode(Buffer.from('中文内容'), 'text/html; charset=gbk').wrong).toBe(true);
    expect(decode(iconv.encode('中文内容', 'gbk'), 'text/html; charset=utf-8')).toMatchObject({ wrong: true });
    expect(decode(Buffer.from('plain'), 'text/html; charset=gbk').wrong).toBe(false);
    const twice = Buffer.from(Buffer.from('中文网页内容', 'utf8').toString('latin1'), 'utf8');
    expect(decode(twice, 'text/html; charset=utf-8').mojibake).toBe(true);
  });

  test('queries of links are encoded in the charset of their page', () => {
    const { links } = page(iconv.encode('<meta charset=gbk><a href="/搜?q=中&x=1#片">a</a><a href="?e=😀">b</a>', 'gb18030'));
    expect(links.map(({ url }) => url)).toEqual(['https://example.com/%E6%90%9C?q=%D6%D0&x=1', expect.stringContaining('?e=')]);
  });
});

test('any bytes are read without an error', () =>
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('', 'text/html; charset=gbk', 'text/html; charset=utf-16le', 'x; charset=bogus'),
      (bytes, type) => {
        const found = parsePage({ url: 'https://example.com/', headers: { 'content-type': type }, body: bytes });
        expect(JSON.stringify(found.facts)).not.toContain('\\u0000');
      },
    ),
    { numRuns: 200 },
  ));
