import { isLinkAddress, nodesOf } from './html';

const sanitizedHtml = (html: string): string => {
  const box = document.createElement('div');
  box.append(nodesOf(html));
  return box.innerHTML;
};

test('stored HTML is unchanged', () => {
  const html =
    '<h2>标题</h2><p>一 <strong>二</strong> &amp; <a href="https://a.example/x?y=1&amp;z=2" rel="noopener noreferrer">三</a><br></p><ul><li>甲</li><li>乙</li></ul>';
  expect(sanitizedHtml(html)).toBe(html);
});

test.each([
  ['<script>alert(1)</script>好', '好'],
  ['<img src="x.png" onerror="alert(1)">', '<img>'],
  ['<img src="https://a.example/b.png" onerror=alert(1) alt=图>', '<img src="https://a.example/b.png" alt="图">'],
  ['<a href="javascript:alert(1)">点</a>', '<a rel="noopener noreferrer">点</a>'],
  ['<a href="&#106;avascript:alert(1)">点</a>', '<a rel="noopener noreferrer">点</a>'],
  ['<a href=" JaVaScRiPt:alert(1)">点</a>', '<a rel="noopener noreferrer">点</a>'],
  ['<iframe src="https://a.example"></iframe>后', '后'],
  ['<style>p{}</style><p style="color:red" onclick="x()">文</p>', '<p>文</p>'],
  ['<svg><script>alert(1)</script></svg>尾', '尾'],
  ['<p>没有结束', '<p>没有结束</p>'],
  ['<pre><code class="language-ts">a</code><code class="x">b</code></pre>', '<pre><code class="language-ts">a</code><code>b</code></pre>'],
  ['1 < 2 <', '1 &lt; 2 &lt;'],
  ['<!-- 注 --><p>文</p><!-- 没完', '<p>文</p>'],
])('%s', (html, expected) => expect(sanitizedHtml(html)).toBe(expected));

test('endless nesting is cut', () => {
  expect(sanitizedHtml('<b>'.repeat(5000)).split('<b>').length).toBeLessThan(70);
});

test('links lead to the web, mail, telephones and this site', () => {
  expect(['https://a.example', 'mailto:a@b.example', 'tel:+86', '/a', '#b'].every(isLinkAddress)).toBe(true);
  expect(['javascript:1', 'data:text/html,1', '//evil.example', 'vbscript:1', ''].some(isLinkAddress)).toBe(false);
});
