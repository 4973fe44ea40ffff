import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { palettes, primaryColours } from './palette';
import { makeTheme } from './theme';

const css = readFileSync(join(__dirname, 'tokens.css'), 'utf8');
const block = (selector: string): Record<string, string> => {
  const body = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return Object.fromEntries([...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/gi)].map((match) => [match[1], match[2]]));
};
const light = block(':root');
const dark = { ...light, ...block(":root[data-scheme='dark']") };

const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};

test('MUI computes with the same colours as the style file', () => {
  for (const [mode, tokens] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    const { canvas, ink, ink2, line, hover, good, warning, bad, info } = palettes[mode];
    expect({ canvas, ink, ink2, line, hover, good, warning, bad, info }).toEqual({
      canvas: tokens['n-0'],
      ink: tokens['n-9'],
      ink2: tokens['n-6'],
      line: tokens['n-3'],
      hover: tokens['n-2'],
      good: tokens['good'],
      warning: tokens['warning'],
      bad: tokens['bad'],
      info: tokens['info'],
    });
    expect(primaryColours.grey[mode]).toBe(tokens['primary']);
  }
});

test.each([
  ['light', light],
  ['dark', dark],
] as const)('text and status colours are readable in the %s scheme', (_mode, tokens) => {
  for (const name of ['n-9', 'n-7', 'n-6', 'good', 'warning', 'bad', 'info'])
    expect([name, contrast(tokens[name] as string, tokens['n-0'] as string) >= 4.5]).toEqual([name, true]);
  for (const name of ['good', 'warning', 'bad', 'info'])
    expect([name, contrast(tokens[name] as string, tokens[`${name}-ground`] as string) >= 4.5]).toEqual([name, true]);
});

test('text on the primary colour is readable, also on blue', () => {
  const [blue = ''] = /data-primary='blue'\][^}]*/.exec(css) ?? [];
  const [, ground = ''] = /--primary-ground: (#\w{6})/.exec(blue) ?? [];
  expect(contrast(ground, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  for (const tokens of [light, dark]) expect(contrast(tokens['primary'] as string, tokens['on-primary'] as string)).toBeGreaterThanOrEqual(4.5);
});

test('the theme matches the specification: dark grey, radius 3, 14 px', () => {
  const theme = makeTheme('grey');
  expect(theme.palette.primary.main).toBe('#424242');
  expect(theme.shape.borderRadius).toBe(3);
  expect(theme.typography.fontSize).toBe(14);
  expect([theme.typography.body1.fontSize, theme.typography.body2.fontSize]).toEqual(['var(--text-body)', 'var(--text-body)']);
  expect(makeTheme('blue').palette.primary.main).toBe('#1677ff');
});
