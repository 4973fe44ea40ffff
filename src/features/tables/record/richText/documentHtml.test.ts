import { documentOf, htmlOf, isEditable } from './documentHtml';

const roundTrip = (html: string): string | null => htmlOf(documentOf(html));

test.each([
  '<h2>标题</h2><p>一 <strong>二</strong> &amp; <a href="https://a.example/x?y=1&amp;z=2" rel="noopener noreferrer">三</a></p><ul><li>甲</li><li>乙</li></ul>',
  '一<div>二</div><div><b>三</b><br></div>',
  '<ol start="3"><li>甲<ul><li>乙</li></ul></li><li><p>丙</p><p>丁</p></li></ol>',
  '<blockquote>引</blockquote><blockquote><p>引</p></blockquote><hr>',
  '<p>a<sub>1</sub><sup>2</sup><u>u</u><ins>i</ins><del>d</del><s>s</s><mark>m</mark><small>n</small><kbd>k</kbd><code>c</code><em>e</em><i>j</i></p>',
  '<pre><code class="language-ts">a\n  b</code></pre><pre>c\nd</pre>',
  '<figure><img src="https://a.example/b.png" alt="图" width="3"><figcaption>说明</figcaption></figure>',
  '<table><caption>表</caption><colgroup><col span="2"></colgroup><thead><tr><th scope="col">甲</th><th>乙</th></tr></thead><tbody><tr><td colspan="2">丙</td></tr></tbody></table>',
  '<p lang="ja" dir="ltr"><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby> <span lang="en">x</span> <abbr title="y">z</abbr></p>',
  '<div><h3>一</h3><p>二</p></div>',
])('%s is unchanged', (html) => {
  expect(roundTrip(html)).toBe(html);
  expect(isEditable(html)).toBe(true);
});

test('marks in another order are still editable', () => {
  expect(isEditable('<p><em><strong>甲</strong></em>乙</p>\n<p>丙</p>')).toBe(true);
  expect(isEditable('<p><a>甲</a></p>')).toBe(true);
});

test('content outside the schema is not editable', () => {
  expect(isEditable('<p><span lang="en"><span dir="rtl">x</span></span></p>')).toBe(false);
  expect(isEditable('<p><strong>甲<h2>乙</h2></strong></p>')).toBe(false);
});

test('an empty text is null', () => {
  expect([roundTrip(''), roundTrip('<p> </p>'), roundTrip('<p><br></p>')]).toEqual([null, null, null]);
  expect([isEditable('')]).toEqual([true]);
});

test('dangerous elements, attributes and addresses are removed', () => {
  expect(roundTrip('<p onclick="x()">甲<script>alert(1)</script><a href="javascript:alert(1)">乙</a><img src="data:x" onerror="x()"></p>')).toBe(
    '<p>甲乙<img></p>',
  );
});
