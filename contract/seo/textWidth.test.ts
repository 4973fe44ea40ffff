import { widthTargets } from './terms';
import { resultText, resultWidth, textPixels } from './textWidth';

test.each([
  ['', 0],
  ['i', 2.22],
  ['W', 9.44],
  ['茶', 10],
  ['，', 10],
  ['茶叶 tea', 20 + 2.78 + 2.78 + 5.56 + 5.56],
  ['é', 5.56],
  ['e\u0301', 5.56],
  ['\u200B', 0],
  ['🍵', 10],
])('%j is %d pixels wide at 10 pixels', (text, pixels) => {
  expect(textPixels(text, 10).toFixed(2)).toBe(pixels.toFixed(2));
});

test('a Chinese title is cut after half as many characters', () => {
  expect(resultWidth('茶'.repeat(30), 'title', 'desktop')).toEqual({ pixels: 600, limit: 600, cut: false });
  expect(resultWidth('茶'.repeat(31), 'title', 'desktop').cut).toBe(true);
  expect(resultWidth('a'.repeat(50), 'title', 'desktop').cut).toBe(false);
  expect(resultWidth('a'.repeat(60), 'title', 'desktop').cut).toBe(true);
});

test.each(['title', 'description'] as const)('a cut %s fits, and one that fits is whole', (part) => {
  const long = '春茶 and tea. '.repeat(40);
  for (const target of widthTargets) {
    const cut = resultText(long, part, target);
    expect([resultWidth(cut, part, target).cut, cut.endsWith('…'), long.startsWith(cut.slice(0, -1))]).toEqual([false, true, true]);
    expect(resultText('春茶', part, target)).toBe('春茶');
  }
});
