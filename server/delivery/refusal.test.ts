import { namedIn, namedInFile } from './refusal';

test('files of a page are those that it names', () => {
  const html =
    '<link href="/_t/ab/a.css"><img src="/_r/1/a%20b.jpg" srcset="/_r/1/x.webp 400w,/_r/1/y.webp 800w"><a href="/blog/_r">x</a><i style="background:url(/_r/2/z.png)">';
  expect(namedIn(html)).toEqual(['/_t/ab/a.css', '/_r/1/a%20b.jpg', '/_r/1/x.webp', '/_r/1/y.webp', '/_r/2/z.png']);
});

test('style sheets and scripts name files relative to themselves', () => {
  const from = '/_t/ab/fonts/a.css';
  expect(namedInFile('@import "b.css";@font-face{src:url(../tea.woff2)}i{background:url("/_r/1/x.png")}u{cursor:url(data:image/png;base64,x)}', from)).toEqual([
    '/_t/ab/fonts/b.css',
    '/_t/ab/tea.woff2',
    '/_r/1/x.png',
    'image/png;base64,x',
  ]);
  expect(namedInFile("import { a } from './a.js';const b = import('../b.mjs');", from)).toEqual(['/_t/ab/fonts/a.js', '/_t/ab/b.mjs']);
});
