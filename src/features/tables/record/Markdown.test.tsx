import { render } from '@testing-library/react';
import { Markdown } from './Markdown';

const shown = (text: string): string => render(<Markdown text={text} />).container.innerHTML;

test('headings, lists, quotes, code, emphasis and links look as they are meant', () => {
  expect(shown('## 标题\n\n一 **二** *三* `四` ~~五~~\n\n1. 甲\n2. 乙\n\n> 引\n\n```\n<b>x</b>\n```\n\n[去](https://a.example)')).toBe(
    '<h2>标题</h2><p>一 <strong>二</strong> <em>三</em> <code>四</code> <del>五</del></p><ol><li>甲</li><li>乙</li></ol><blockquote>引</blockquote>' +
      '<pre><code>&lt;b&gt;x&lt;/b&gt;</code></pre><p><a href="https://a.example" target="_blank" rel="noopener noreferrer">去</a></p>',
  );
});

test('what is dangerous is words: HTML, addresses that run scripts', () => {
  expect(shown('<img src=x onerror=alert(1)>')).toBe('<p>&lt;img src=x onerror=alert(1)&gt;</p>');
  expect(shown('[点](javascript:alert(1)) ![图](data:text/html,x)')).not.toMatch(/<a|<img/);
});

test('a hostile text does not hang the preview', () => {
  const start = performance.now();
  shown(`${'*a '.repeat(3000)}\n${'['.repeat(3000)}\n${'> '.repeat(3000)}`);
  expect(performance.now() - start).toBeLessThan(2000);
});
