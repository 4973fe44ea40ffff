import { render } from '@testing-library/react';
import { Markdown } from './Markdown';

const renderedHtml = (text: string): string => render(<Markdown text={text} />).container.innerHTML;

test('headings, lists, quotes, code, emphasis and links have their format', () => {
  expect(renderedHtml('## 标题\n\n一 **二** *三* `四` ~~五~~\n\n1. 甲\n2. 乙\n\n> 引\n\n```\n<b>x</b>\n```\n\n[去](https://a.example)')).toBe(
    '<h2>标题</h2><p>一 <strong>二</strong> <em>三</em> <code>四</code> <del>五</del></p><ol><li>甲</li><li>乙</li></ol><blockquote>引</blockquote>' +
      '<pre><code>&lt;b&gt;x&lt;/b&gt;</code></pre><p><a href="https://a.example" target="_blank" rel="noopener noreferrer">去</a></p>',
  );
});

test('HTML and script addresses are shown as text', () => {
  expect(renderedHtml('<img src=x onerror=alert(1)>')).toBe('<p>&lt;img src=x onerror=alert(1)&gt;</p>');
  expect(renderedHtml('[点](javascript:alert(1)) ![图](data:text/html,x)')).not.toMatch(/<a|<img/);
});

test('a hostile text does not block the preview', () => {
  const start = performance.now();
  renderedHtml(`${'*a '.repeat(3000)}\n${'['.repeat(3000)}\n${'> '.repeat(3000)}`);
  expect(performance.now() - start).toBeLessThan(2000);
});

test('nested lists, tables and task items have their elements', () => {
  expect(renderedHtml('- 甲\n  - 乙\n- [x] 丙')).toBe(
    '<ul><li>甲<ul><li>乙</li></ul></li><li><input readonly="" disabled="" aria-label="丙" type="checkbox" checked="">丙</li></ul>',
  );
  expect(renderedHtml('| 名 | 数 |\n| --- | ---: |\n| 甲 | 1 |')).toBe(
    '<table><thead><tr><th>名</th><th class="md-right">数</th></tr></thead><tbody><tr><td>甲</td><td class="md-right">1</td></tr></tbody></table>',
  );
});

test('an encoded script address is not a link', () => {
  expect(renderedHtml('[点](&#106;avascript:alert(1)) <javascript:alert(1)> [去][x]\n\n[x]: vbscript:1')).not.toMatch(/<a/);
});

test('nesting that is too deep shows its source', () => {
  expect(renderedHtml(`${'> '.repeat(40)}深`)).toBe(`<p class="md-source">${'&gt; '.repeat(40)}深</p>`);
  const list = Array.from({ length: 40 }, (_, level) => `${'  '.repeat(level)}- 层${String(level)}`).join('\n');
  expect(renderedHtml(list).split('<ul>').length).toBeLessThan(20);
  expect(renderedHtml(list)).toContain('层39');
});

test('a text over the length limit is not parsed', () => {
  expect(renderedHtml('# '.padEnd(200_001, '长'))).toMatch(/^<p class="md-source"># 长/);
});
