import type { Random } from '../random';

/** Size of the drawings in their own units. */
export const width = 1600;
export const height = 1000;

/** Colours of a picture: two of the sky or wall, one of sun and moon, five from far to near, one that stands out, and paper. */
export type Palette = {
  readonly sky: readonly [string, string];
  readonly light: string;
  readonly layers: readonly [string, string, string, string, string];
  readonly accent: string;
  readonly paper: string;
};
export type Motif = (palette: Palette, random: Random) => string;

export const palettes = {
  dawn: {
    sky: ['#fdeee0', '#f6c3a8'],
    light: '#fff6e6',
    layers: ['#eab49b', '#cf8a80', '#a26975', '#6f4d68', '#3f3352'],
    accent: '#e4572e',
    paper: '#fff9f1',
  },
  spruce: {
    sky: ['#eef5ee', '#bcd8c8'],
    light: '#fbf4d4',
    layers: ['#a8ccb8', '#7cab96', '#4f8874', '#2e6557', '#1b443d'],
    accent: '#e39b3b',
    paper: '#f9faf3',
  },
  night: {
    sky: ['#171c40', '#464a8c'],
    light: '#f6ebcb',
    layers: ['#5356a0', '#3f4287', '#2e316c', '#202350', '#14173a'],
    accent: '#f3b45f',
    paper: '#eceaf8',
  },
  sea: {
    sky: ['#e8f4f8', '#b3dae8'],
    light: '#fff8e6',
    layers: ['#93c5d7', '#61a1bd', '#3b7d9f', '#245c7f', '#16405c'],
    accent: '#ef7d57',
    paper: '#f7fbfc',
  },
  sand: {
    sky: ['#fcf4e3', '#f2dcb3'],
    light: '#f08f5f',
    layers: ['#e8c48d', '#d3a164', '#b17748', '#815339', '#50352a'],
    accent: '#2f7f79',
    paper: '#fffbf2',
  },
  plum: {
    sky: ['#f9e9f0', '#dfbbd4'],
    light: '#fff3ea',
    layers: ['#cd99bb', '#ab719f', '#825083', '#593866', '#372748'],
    accent: '#f2a65a',
    paper: '#fdf6fa',
  },
} as const satisfies Record<string, Palette>;

const n = (value: number): string => String(Math.round(value * 10) / 10);
export const points = (list: readonly (readonly [number, number])[]): string => list.map(([x, y]) => `${n(x)},${n(y)}`).join(' ');
export const rect = (x: number, y: number, w: number, h: number, fill: string, more = ''): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}" ${more}/>`;
export const circle = (x: number, y: number, r: number, fill: string, more = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${more}/>`;
export const polygon = (list: readonly (readonly [number, number])[], fill: string, more = ''): string =>
  `<polygon points="${points(list)}" fill="${fill}" ${more}/>`;
export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" fill="${fill}" ${more}/>`;
export const line = (d: string, color: string, thickness: number, more = ''): string =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${n(thickness)}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
export const group = (transform: string, body: string): string => `<g transform="${transform}">${body}</g>`;
export const times = (count: number, draw: (index: number) => string): string => Array.from({ length: count }, (_, index) => draw(index)).join('');

/** The whole picture in a gradient from top to bottom. */
export const backdrop = ({ sky: [top, bottom] }: Palette): string =>
  `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>${rect(0, 0, width, height, 'url(#sky)')}`;

/** A sun or moon with a halo of two rings. */
export const sun = ({ light }: Palette, x: number, y: number, r: number): string =>
  circle(x, y, r * 2.1, light, 'opacity=".16"') + circle(x, y, r * 1.5, light, 'opacity=".26"') + circle(x, y, r, light);

/** Height of a ridge at each x: a sum of three ripples. */
export function ridgeOf(random: Random, base: number, swing: number): (x: number) => number {
  const ripples = [1, 2.3, 5.1].map((frequency, at) => ({
    frequency: (frequency * (0.8 + random() * 0.5) * 2 * Math.PI) / width,
    phase: random() * 7,
    swing: swing / (1 + at * 1.6),
  }));
  return (x) => ripples.reduce((y, ripple) => y - ripple.swing * Math.sin(x * ripple.frequency + ripple.phase), base);
}
/** The land below a ridge. */
export function land(ridge: (x: number) => number, fill: string): string {
  const top = Array.from({ length: 81 }, (_, at) => [at * 20, ridge(at * 20)] as const);
  return polygon([[0, height], ...top, [width, height]], fill);
}
/** A conifer of `size`, whose foot is at (x, y). */
export const spruce = (x: number, y: number, size: number, fill: string): string =>
  polygon(
    [
      [x, y - size],
      [x + size * 0.13, y - size * 0.66],
      [x + size * 0.07, y - size * 0.66],
      [x + size * 0.2, y - size * 0.36],
      [x + size * 0.11, y - size * 0.36],
      [x + size * 0.26, y - size * 0.06],
      [x + size * 0.03, y - size * 0.06],
      [x + size * 0.03, y],
      [x - size * 0.03, y],
      [x - size * 0.03, y - size * 0.06],
      [x - size * 0.26, y - size * 0.06],
      [x - size * 0.11, y - size * 0.36],
      [x - size * 0.2, y - size * 0.36],
      [x - size * 0.07, y - size * 0.66],
      [x - size * 0.13, y - size * 0.66],
    ],
    fill,
  );
/** A table across the picture, whose edge is at `y`. */
export const table = ({ layers }: Palette, y: number): string => rect(0, y, width, height - y, layers[2]) + rect(0, y, width, 14, layers[1]);
/** The shadow of a thing on a table. */
export const shadow = (x: number, y: number, rx: number): string =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(rx * 0.12)}" fill="#000" opacity=".16"/>`;

/** A drawing as an SVG of `pixels` width. */
export const drawing = (body: string, pixels: number, box: readonly [number, number] = [width, height]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${box[0]} ${box[1]}" width="${pixels}" height="${Math.round((pixels * box[1]) / box[0])}">${body}</svg>`;
