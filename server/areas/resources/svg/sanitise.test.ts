import fc from 'fast-check';
import { svgLimits } from './allowed';
import { UnsafeSvg } from './sanitise';
import { clean, problemsIn, svg } from './svgTestSupport';

const script = 'alert(1)';
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Each would run a script, load something, or lead away in some program that shows SVG. */
const vectors: readonly string[] = [
  svg(`<script>${script}</script>`),
  svg(`<script href="https://evil.example/a.js"/>`),
  svg(`<script xlink:href="data:text/javascript,${script}"/>`),
  svg(`<SCRIPT>${script}</SCRIPT>`),
  svg(`<Script type="text/ecmascript"><![CDATA[${script}]]></Script>`),
  svg(`<s:script xmlns:s="http://www.w3.org/2000/svg">${script}</s:script>`),
  svg(`<script xmlns="http://www.w3.org/1999/xhtml">${script}</script>`),
  svg(`<h:script xmlns:h="http://www.w3.org/1999/xhtml">${script}</h:script>`),
  svg(`<g xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></g>`),
  svg(`<handler type="text/javascript" ev:event="load" xmlns:ev="http://www.w3.org/2001/xml-events">${script}</handler>`),
  svg(`<listener event="load" handler="javascript:${script}"/>`),
  svg('', `onload="${script}"`),
  svg('', `ONLOAD="${script}" OnLoad="${script}"`),
  svg('', `ev:onload="${script}" xmlns:ev="http://www.w3.org/2001/xml-events"`),
  svg(`<g onclick="${script}" onmouseover="${script}" onfocus="${script}" tabindex="0" autofocus=""/>`),
  svg(`<animate onbegin="${script}" attributeName="x" dur="1s"/>`),
  svg(`<animate onend="${script}" onrepeat="${script}" attributeName="x" dur="1s"/>`),
  svg(`<g xml:onload="${script}" xlink:onclick="${script}"/>`),
  svg(`<a href="javascript:${script}"><circle r="9"/></a>`),
  svg(`<a xlink:href="JaVaScRiPt:${script}"><text>tea</text></a>`),
  svg(`<a href="&#106;avascript&#58;${script}"><text>tea</text></a>`),
  svg(`<a href="java&#10;script:${script}"><text>tea</text></a>`),
  svg(`<a href=" &#x9;javascript:${script}"><text>tea</text></a>`),
  svg(`<a href="data:text/html;base64,PHNjcmlwdD4="><text>tea</text></a>`),
  svg(`<a href="https://evil.example" target="_top"><text>tea</text></a>`),
  svg(`<x:a xmlns:x="http://www.w3.org/2000/svg" y:href="javascript:${script}" xmlns:y="http://www.w3.org/1999/xlink"><text>t</text></x:a>`),
  svg(`<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:${script}"/></foreignObject>`),
  svg(`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="${script}"/></foreignObject>`),
  svg(`<foreignobject><img src="x" onerror="${script}"/></foreignobject>`),
  svg(`<switch><foreignObject requiredExtensions="x"><script>${script}</script></foreignObject></switch>`),
  svg(`<iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script&gt;${script}&lt;/script&gt;"/>`),
  svg(`<embed xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example/a.swf"/>`),
  svg(`<video xmlns="http://www.w3.org/1999/xhtml"><source onerror="${script}"/></video>`),
  svg(`<math xmlns="http://www.w3.org/1998/Math/MathML"><maction actiontype="statusline" xlink:href="javascript:${script}">x</maction></math>`),
  svg(`<use href="https://evil.example/a.svg#b"/>`),
  svg(`<use xlink:href="//evil.example/a.svg#b"/>`),
  svg(`<use href="data:image/svg+xml;base64,PHN2Zy8+#x"/>`),
  svg(`<use href="#ok" xlink:href="data:image/svg+xml,&lt;svg onload='${script}'/&gt;#x"/>`),
  svg(`<use href="a.svg#b"/>`),
  svg(`<image href="https://evil.example/pixel.png"/>`),
  svg(`<image href="javascript:${script}"/>`),
  svg(`<image href="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"/>`),
  svg(`<image href="data:text/html;base64,PHNjcmlwdD4="/>`),
  svg(`<image href="data:image/png;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=="/>`),
  svg(`<image href="data:image/gif;base64,${png}"/>`),
  svg(`<image href="data:image/png,%3Cscript%3E"/>`),
  svg(`<feImage href="https://evil.example/a.png"/>`),
  svg(`<filter id="f"><feImage xlink:href="data:image/svg+xml,x"/></filter>`),
  svg(`<linearGradient id="g" href="https://evil.example/a.svg#g"/>`),
  svg(`<pattern id="p" xlink:href="javascript:${script}"/>`),
  svg(`<textPath href="https://evil.example/#p">tea</textPath>`),
  svg(`<animate attributeName="href" values="javascript:${script}"/>`),
  svg(`<a><set attributeName="xlink:href" to="javascript:${script}"/><text>tea</text></a>`),
  svg(`<set attributeName="onload" to="${script}"/>`),
  svg(`<set attributeName="style" to="background:url(https://evil.example)"/>`),
  svg(`<use><animate attributeName=" href" from="#a" to="data:image/svg+xml,x"/></use>`),
  svg(`<animate href="https://evil.example/#x" attributeName="x" to="1"/>`),
  svg(`<animate attributeName="fill" values="url(https://evil.example/a.svg#x);red"/>`),
  svg(`<set attributeName="fill" to="url('https://evil.example/a.svg#x')"/>`),
  svg(`<animate href="#remains" attributeName="class" to="evil"/>`),
  svg(`<style>@import url("https://evil.example/a.css");</style>`),
  svg(`<style>@import 'https://evil.example/a.css'</style>`),
  svg(`<style>@\\69mport 'https://evil.example/a.css';</style>`),
  svg(`<style>/**/@import/**/url(//evil.example)/**/;</style>`),
  svg(`<style><![CDATA[</style><script>${script}</script>]]></style>`),
  svg(`<style>&lt;/style&gt;&lt;script&gt;${script}&lt;/script&gt;</style>`),
  svg(`<style>@font-face{font-family:x;src:url(https://evil.example/a.woff2)}text{font-family:x}</style>`),
  svg(`<style>rect{fill:url(https://evil.example/a.svg#x)}</style>`),
  svg(`<style>rect{fill:\\75rl(https://evil.example/a.svg#x)}</style>`),
  svg(`<style>rect{fill:u/**/rl(https://evil.example/a.svg#x)}</style>`),
  svg(`<style>rect{background:url(https://evil.example)}body{display:none}</style>`),
  svg(`<style>rect{--a:-webkit-image-set("https://evil.example" 1x);cursor:url(https://evil.example),auto}</style>`),
  svg(`<style>@media screen{@import 'x';rect{fill:image-set('https://evil.example')}}</style>`),
  svg(`<style>@namespace svg url(https://evil.example);@charset "utf-7";@supports (x:y){rect{fill:red}}</style>`),
  svg(`<style>@keyframes a{from{fill:url(https://evil.example#x)}to{behavior:url(#x)}}</style>`),
  svg(`<style type="text/x-evil">@import 'x'</style>`),
  svg(`<style>rect{fill:red}</style><style>"</style><style>;@import '//evil.example';</style>`),
  svg(`<style><script>${script}</script></style>`),
  svg(`<g style="background-image:url(https://evil.example)"/>`),
  svg(`<g style="fill:url(&quot;https://evil.example/#x&quot;)"/>`),
  svg(`<g style="fill:url(#a)url(https://evil.example)"/>`),
  svg(`<g style="width:expression(${script});-moz-binding:url(https://evil.example#x);behavior:url(x.htc)"/>`),
  svg(`<g style="fill:u\\72 l(https://evil.example)"/>`),
  svg(`<g fill="url(https://evil.example/a.svg#x)" filter="url('//evil.example#f')" mask="URL(evil.svg#m)"/>`),
  svg(`<g clip-path="src('https://evil.example')" marker-start="url(data:image/svg+xml,x#y)" cursor="url(https://evil.example)"/>`),
  svg(`<title><script xmlns="http://www.w3.org/1999/xhtml">${script}</script></title>`),
  svg(`<title><style>&lt;/title&gt;&lt;img src=x onerror=${script}&gt;</style></title>`),
  svg(`<desc><![CDATA[<img src=x onerror=${script}>]]></desc>`),
  svg(`<desc>&lt;/desc&gt;&lt;script&gt;${script}&lt;/script&gt;</desc>`),
  svg(`<g id="x&quot; onload=&quot;${script}" class="&quot;&gt;&lt;script&gt;${script}&lt;/script&gt;"/>`),
  svg(`<text aria-label="&quot;/&gt;&lt;img src=x onerror=${script}&gt;">&lt;img src=x onerror=${script}&gt;</text>`),
  svg(`<!--><img src=x onerror=${script}>-->`),
  svg(`<?php ${script} ?><?xml-stylesheet href="javascript:${script}"?>`),
  `<?xml-stylesheet type="text/xsl" href="https://evil.example/a.xsl"?>${svg('')}`,
  `<?xml-stylesheet type="text/css" href="data:text/css,@import '//evil.example'"?>${svg('')}`,
  `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://evil.example/evil.dtd">${svg('')}`,
  svg('', `xml:base="https://evil.example/"`).replace('<rect', '<use href="#a"/><rect'),
  svg(`<metadata><script>${script}</script></metadata><view id="v" viewTarget="x"/><cursor xlink:href="https://evil.example"/>`),
  svg(`<font><font-face><font-face-src><font-face-uri xlink:href="https://evil.example"/></font-face-src></font-face></font>`),
  svg(`<discard begin="0s" href="#remains"/><audio xlink:href="https://evil.example"/><tbreak/>`),
  svg(`<x xmlns="http://www.w3.org/1999/XSL/Transform"><template match="/"><script>${script}</script></template></x>`),
];

test('there are enough script vectors', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(60);
});

test.each(vectors.map((vector) => [vector]))('nothing harmful remains of %s', (vector) => {
  const { source, removedCount } = clean(vector);
  expect(problemsIn(source)).toEqual([]);
  expect(source).toContain('id="remains"');
  expect(clean(source)).toMatchObject({ source, removedCount: 0 });
  expect([vector.includes('CDATA') || vector.includes('&lt;') || removedCount > 0, source.includes('evil.example')]).toEqual([true, false]);
});

test('the check itself finds what is harmful', () => {
  expect(
    [svg(`<a href="javascript:1"/>`), svg('', 'onload="1"'), svg(`<style>@import 'x'</style>`), svg(`<g fill="url(//x)"/>`)].map(
      (source) => problemsIn(source).length > 0,
    ),
  ).toEqual([true, true, true, true]);
});

const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>${svg('<text>&c;</text>')}`;
const uses = Array.from({ length: 9 }, (_, level) => `<g id="u${level}">${`<use href="#u${level + 1}"/>`.repeat(10)}</g>`).join('');
const masks = Array.from({ length: 9 }, (_, level) => `<mask id="m${level}">${`<g class="c${level + 1}"/>`.repeat(10)}</mask>`).join('');
const maskStyles = Array.from({ length: 10 }, (_, level) => `.c${level}{mask:url(#m${level})}`).join('');

test.each([
  ['an entity bomb', bomb, 'doctype'],
  ['an external entity', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`, 'doctype'],
  ['a parameter entity', `<!DOCTYPE svg [ <!ENTITY % x SYSTEM "https://evil.example/x.dtd"> %x; ]>${svg('')}`, 'doctype'],
  ['attributes with defaults', `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${svg('')}`, 'doctype'],
  ['an entity that is not declared', svg('<text>&nbsp;</text>'), 'malformed'],
  ['deep nesting', svg('<g>'.repeat(200) + '</g>'.repeat(200)), 'tooLarge'],
  ['deep nesting of what is removed', svg('<x>'.repeat(50_000)), 'tooLarge'],
  ['too many elements', svg('<g/>'.repeat(60_000)), 'tooLarge'],
  ['too many attributes', svg(`<g ${Array.from({ length: 300 }, (_, i) => `data-${i}=""`).join(' ')}/>`), 'tooLarge'],
  ['too much text', svg(`<text>${'tea '.repeat(70_000)}</text>`), 'tooLarge'],
  ['too many bytes', svg(`<path d="${'M0 0'.repeat(600_000)}"/>`), 'tooLarge'],
  ['references that multiply', svg(uses), 'tooLarge'],
  ['references of styles that multiply', svg(`<style>${maskStyles}</style>${masks}<g class="c0"/>`), 'tooLarge'],
  ['UTF-16', Buffer.from(`\uFEFF${svg('')}`, 'utf16le'), 'encoding'],
  ['another encoding', Buffer.from(svg('<title>caf\u00E9</title>'), 'latin1'), 'encoding'],
  ['a declaration of another encoding', `<?xml version="1.0" encoding="UTF-7"?>${svg('')}`, 'encoding'],
  ['NUL', svg('<g \u0000/>'), 'malformed'],
  ['two roots', svg('') + svg(''), 'malformed'],
  ['an open element', '<svg xmlns="http://www.w3.org/2000/svg"><g>', 'malformed'],
  ['the same attribute twice', svg('<g id="a" id="b"/>'), 'malformed'],
  ['another root', `<html xmlns="http://www.w3.org/1999/xhtml">${svg('')}</html>`, 'malformed'],
  ['a root of another namespace', '<svg xmlns="http://www.w3.org/1999/xhtml"/>', 'malformed'],
  ['nothing', '', 'malformed'],
])('a file with %s is refused', (_what, text, reason) => {
  expect(() => clean(text)).toThrow(new UnsafeSvg(reason));
});

test('a byte order mark, a document type and a missing namespace are accepted', () => {
  expect(clean('\uFEFF<?xml version="1.1" encoding="utf-8"?><!DOCTYPE svg><svg><path d="M0 0"/></svg>').source).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
  );
});

test('what an image needs remains as it is', () => {
  const source = svg(
    [
      '<title>Tea &amp; 茶</title><desc>"Green"</desc>',
      '<style>.a{fill:url(#图层);stroke:#fff !important}\n@media (prefers-color-scheme: dark){.a:hover &gt; path{opacity:.5}}</style>',
      '<defs><linearGradient id="图层" href="#b"><stop offset="5%" stop-color="rgb(1, 2, 3)"/></linearGradient></defs>',
      `<image width="1" height="1" href="data:image/png;base64,${png}"/>`,
      '<g fill="none" stroke="currentColor" transform="rotate(45 1 2)" style="mix-blend-mode:multiply"><path d="M1.5-2e3,4z"/></g>',
      `<text font-family="'Noto Sans SC',sans-serif" xml:space="preserve"> a  <tspan x="1">b</tspan></text>`,
      '<circle r="1"><animate attributeName="r" values="1;2" dur="1s" repeatCount="indefinite"/></circle>',
    ].join('\n'),
    'viewBox="0 0 24 24"',
  );
  const { removed, source: cleaned } = clean(source);
  expect([removed, cleaned]).toEqual([[], source.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', '').replaceAll(/"(?=Green)|(?<=Green)"/g, '&quot;')]);
});

test('what is removed is listed with its position and reason', () => {
  const { source, removed } = clean(`<svg xmlns="http://www.w3.org/2000/svg">
  <script>1</script>
  <g onload="1"
     fill="url(//x)" style="top:1px;fill:red"/>
  <a href="x"><path d="M0"/></a>
</svg>`);
  expect(source).toContain('<g style="fill:red"/>\n  <path d="M0"/>');
  expect(removed).toEqual([
    { kind: 'element', name: 'script', reason: 'script', line: 2, column: 2 },
    { kind: 'attribute', name: 'onload', reason: 'script', line: 3, column: 5 },
    { kind: 'attribute', name: 'fill', reason: 'external', line: 4, column: 5 },
    { kind: 'declaration', name: 'top', reason: 'style', line: 4, column: 21 },
    { kind: 'element', name: 'a', reason: 'link', line: 5, column: 2 },
  ]);
});

test('long attributes are removed, and the list of removed parts is limited', () => {
  const long = clean(svg(`<g class="${'a'.repeat(20_000)}"/>`));
  expect([long.source.length < 300, long.removed[0]?.reason]).toEqual([true, 'tooLong']);
  const many = clean(svg('<x/>'.repeat(1000)));
  expect([many.removed.length, many.removedCount]).toEqual([svgLimits.removed, 1000]);
});

test('pictures are limited together', () => {
  const picture = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(400_000)]).toString('base64');
  expect(clean(svg(`<image href="data:image/png;base64,${picture}"/>`.repeat(3))).removed).toMatchObject([{ name: 'href', reason: 'picture' }]);
});

test.each([
  ['comments', `<style>${'/*a'.repeat(80_000)}</style>`],
  ['parentheses', `<style>${'('.repeat(250_000)}</style>`],
  ['quotes', `<style>${`"'`.repeat(120_000)}</style>`],
  ['selectors', `<style>${'a '.repeat(120_000)}{fill:red}</style>`],
  ['spaces', `<style>a${' '.repeat(250_000)}b{fill:red}</style><image href="data:image/png;base64,${' '.repeat(900_000)}!"/>`],
  ['references', `<style>${Array.from({ length: 9000 }, (_, i) => `*{fill:url(#a${i})}`).join('')}</style>${'<g/>'.repeat(40_000)}`],
  ['digits', `<g style="x:${'1'.repeat(900_000)}("/>`],
])('many %s cost little time', (_what, content) => {
  const start = process.cpuUsage();
  try {
    clean(svg(content));
  } catch (error) {
    expect(error).toBeInstanceOf(UnsafeSvg);
  }
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000);
});

const parts = vectors.map((vector) => /^<svg[^>]*>([^]*)<rect[^]*$/.exec(vector)?.[1] ?? '').filter((part) => part !== '');
const good = [
  '<path d="M0 0h1"/>',
  '<text>a &lt; b</text>',
  ' \n ',
  '<title>t</title>',
  '<style>.a{fill:red}</style>',
  '<use href="#a"/>',
  'text',
  '<!-- c -->',
];
const attributes = [
  'onload="1"',
  'ONCLICK="1"',
  'href="#a"',
  'xlink:href="javascript:1"',
  'fill="red"',
  'fill="url(//x)"',
  'style="fill:u\\rl(x);x:1"',
  'id="a"',
  'class="&lt;"',
];
const names = ['g', 'svg', 'a', 'text', 'tspan', 'title', 'style', 'defs', 'use', 'image', 'script', 'foreignObject', 'h:div', 'animate', 'switch', 'x'];

test('random nesting of good and bad parts leaves nothing harmful', () => {
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...parts, ...good),
      fc
        .tuple(
          fc.constantFrom(...names),
          fc.uniqueArray(fc.constantFrom(...attributes), { maxLength: 3, selector: (one) => one.split('=')[0] }),
          fc.array(tie('tree'), { maxLength: 4 }),
        )
        .map(([name, list, children]) => `<${name} ${list.join(' ')}>${children.join('')}</${name}>`),
    ),
  }));
  let cleaned = 0;
  fc.assert(
    fc.property(tree, (content) => {
      const { source } = clean(svg(content, 'xmlns:h="http://www.w3.org/1999/xhtml"'));
      expect(problemsIn(source)).toEqual([]);
      expect(clean(source)).toMatchObject({ source, removedCount: 0 });
      cleaned += 1;
    }),
    { numRuns: 400 },
  );
  expect(cleaned).toBeGreaterThanOrEqual(400);
});
