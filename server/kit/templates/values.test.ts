import fc from 'fast-check';
import { contrast, mix, readableOn, textOn } from './colors.mjs';
import { createMarks, insertAtMarks } from './marks';
import { templateRichText } from './richText';
import { themeTexts } from './texts';

const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('every accent is readable on every background after adjusting', () => {
  fc.assert(
    fc.property(color, color, (accent, background) => {
      expect(contrast(readableOn(accent, background), background)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(textOn(accent), accent)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a readable accent is not changed', () => {
  expect(readableOn('#0052ff', '#ffffff')).toBe('#0052ff');
});

test('what is no colour stays as it is', () => {
  expect([mix('red', '#ffffff', 10), readableOn('', '#ffffff'), textOn('x')]).toEqual(['red', '', '#ffffff']);
});

test('headings get ids and skip no level', () => {
  const { html, headings } = templateRichText('<h1>安装 &amp; 使用</h1><p>a</p><h4>Next</h4><h4>Next</h4><h2 lang="en">End</h2><h3></h3>');
  expect(html).toBe('<h2 id="安装-使用">安装 &amp; 使用</h2><p>a</p><h3 id="next">Next</h3><h4 id="next-2">Next</h4><h2 id="end" lang="en">End</h2>');
  expect(headings.map(({ id, title, level }) => [level, id, title])).toEqual([
    [2, '安装-使用', '安装 & 使用'],
    [3, 'next', 'Next'],
    [4, 'next-2', 'Next'],
    [2, 'end', 'End'],
  ]);
});

test('tables scroll by themselves and pictures load late', () => {
  expect(templateRichText('<table><tr><td>1</td></tr></table><img src="/a.png" />').html).toBe(
    '<div class="table"><table><tr><td>1</td></tr></table></div><img loading="lazy" src="/a.png" />',
  );
});

test('reading time counts characters and words', () => {
  expect([templateRichText(''), templateRichText('<p>短</p>'), templateRichText(`<p>${'字'.repeat(1400)}</p>`)].map(({ minutes }) => minutes)).toEqual([
    0, 1, 4,
  ]);
});

test('texts fall back by script, language and at last to English', () => {
  const files = {
    'texts/en.json': '{"a":"A","b":"B"}',
    'texts/zh-Hant.json': '{"a":"繁"}',
    'texts/zh-Hans.json': '{"a":"简"}',
  };
  expect(['zh-TW', 'zh-Hant-HK', 'zh-CN', 'zh', 'de'].map((language) => themeTexts(files, language))).toEqual(
    ['繁', '繁', '简', '简', 'A'].map((a) => ({ a, b: 'B' })),
  );
});

describe('what the program inserts', () => {
  const contents = { head: '<title>$& A</title>', footer: '<p>B</p>' };

  test('replaces the first mark and removes others', () => {
    const marks = createMarks();
    const { content_for_head: head, content_for_footer: footer } = marks;
    expect(insertAtMarks(`<head>${head}</head><body>${head}<footer>${footer}</footer></body>`, marks, contents)).toBe(
      '<head><title>$& A</title></head><body><footer><p>B</p></footer></body>',
    );
  });

  test('goes before the closing tags of a template without marks', () => {
    expect(insertAtMarks('<head></HEAD><body>x</body>', createMarks(), contents)).toBe('<head><title>$& A</title></HEAD><body>x<p>B</p></body>');
  });

  test('goes before the closing tags whatever letters are before them', () => {
    const html = insertAtMarks('<head></head><body>İİİ</body>', createMarks(), contents);
    expect(html).toBe('<head><title>$& A</title></head><body>İİİ<p>B</p></body>');
  });

  test('is in a page without any tags', () => {
    expect(insertAtMarks('x', createMarks(), contents)).toBe('x<title>$& A</title><p>B</p>');
  });
});
