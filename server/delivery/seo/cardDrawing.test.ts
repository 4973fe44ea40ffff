import { notoGlyphs } from '../../kit/text/notoSans';
import { canDraw, cardSvg } from './cardDrawing';

const draw = async (title: string) => cardSvg({ title, site: 'Leaf', color: '#14532d' }, await notoGlyphs([title, 'Leaf', '…'], 500));
const lines = (svg: string): string[] => [...(/<g [^>]*>(.*?)<\/g>/s.exec(svg)?.[1] ?? '').matchAll(/<path d="([^"]*)"/g)].map(([, data = '']) => data);
const right = (path: string): number => Math.max(...[...path.matchAll(/[MLQ ]?(-?[\d.]+) -?[\d.]+/g)].map(([, x]) => Number(x)));

test.each(['春茶', 'Spring tea', '在武夷山的云雾里寻找一片好茶叶'.repeat(20), 'A very long title '.repeat(30), 'x'.repeat(300)])(
  'the title %s stays within the card',
  async (title) => {
    const paths = lines(await draw(title));
    expect(paths.length).toBeLessThanOrEqual(4);
    for (const path of paths) expect(right(path)).toBeLessThanOrEqual(1120);
  },
);

test('a short title is one line of outlines', async () => {
  expect(lines(await draw('春茶'))).toEqual([expect.stringMatching(/^M[\d.]+ [\d.]+[LQ]/)]);
});

test.each([
  ['Tea 茶 お茶 чай τσάι', true],
  ['Tea 🍵 & more…', true],
  ['شاي', false],
  ['ชา', false],
  ['', false],
])('%j can be drawn: %s', (text, can) => {
  expect(canDraw(text)).toBe(can);
});
