import { backdrop, circle, height, land, line, path, polygon, rect, ridgeOf, spruce, sun, times, width } from './drawing';
import type { Palette, Motif } from './drawing';

const dark = (palette: Palette): boolean => palette.sky[0] < '#8';
const stars: Motif = ({ light }, random) =>
  times(60, () => circle(random() * width, random() * 520, 1.5 + random() * 2.5, light, `opacity="${(0.3 + random() * 0.6).toFixed(2)}"`));

/** Five ridges, with spruces on the nearest. */
export const hills: Motif = (palette, random) => {
  const nearest = ridgeOf(random, 830, 60);
  return [
    backdrop(palette),
    dark(palette) ? stars(palette, random) : '',
    sun(palette, 350 + random() * 900, 300, 88),
    ...palette.layers.slice(0, 4).map((color, at) => land(ridgeOf(random, 470 + at * 105, 95 - at * 12), color)),
    land(nearest, palette.layers[4]),
    times(26, () => {
      const x = random() < 0.5 ? random() * 520 : 1080 + random() * 520;
      return spruce(x, nearest(x) + 16, 90 + random() * 150, palette.layers[4]);
    }),
  ].join('');
};

/** Rows of spruces that fade with distance. */
export const forest: Motif = (palette, random) =>
  [
    backdrop(palette),
    dark(palette) ? stars(palette, random) : '',
    sun(palette, 1130, 290, 100),
    ...palette.layers.map((color, row) =>
      times(22 - row * 3, (at) =>
        spruce((at + random() * 0.7) * (width / (21 - row * 3)), 590 + row * 112, (190 + row * 75) * (0.7 + random() * 0.5), color),
      ).concat(rect(0, 588 + row * 112, width, height, color)),
    ),
  ].join('');

/** A lake before mountains, which it mirrors. */
export const lake: Motif = (palette, random) => {
  const shore = 610;
  const peaks = [
    [-80, 300],
    [260, 190],
    [640, 330],
    [980, 150],
    [1330, 290],
    [1690, 210],
  ] as const;
  const range = (color: string, lower: number, shift: number): string =>
    peaks
      .map(([x, y]) =>
        polygon(
          [
            [x + shift - 420, shore],
            [x + shift, y + lower],
            [x + shift + 430, shore],
          ],
          color,
        ),
      )
      .join('');
  const snow = peaks
    .map(([x, y]) =>
      polygon(
        [
          [x, y],
          [x + 76, y + 78],
          [x + 30, y + 62],
          [x, y + 96],
          [x - 34, y + 64],
          [x - 74, y + 80],
        ],
        palette.paper,
      ),
    )
    .join('');
  const world = range(palette.layers[0], 0, 0) + snow + range(palette.layers[1], 180, 190);
  return [
    backdrop(palette),
    sun(palette, 520, 190, 74),
    world,
    rect(0, shore, width, height - shore, palette.layers[1]),
    `<g transform="translate(0 ${shore * 2}) scale(1 -1)" opacity=".45">${world}</g>`,
    times(24, () => line(`M${random() * width} ${shore + 30 + random() * 330}h${60 + random() * 200}`, palette.paper, 3, 'opacity=".28"')),
    times(30, (at) => spruce(at < 16 ? at * 34 - 20 : 1190 + (at - 16) * 32, 640 + random() * 24, 90 + random() * 130, palette.layers[4])),
    land(ridgeOf(random, 955, 18), palette.layers[4]),
  ].join('');
};

/** The sea in bands, a sail, and the light on the water. */
export const sea: Motif = (palette, random) => {
  const x = 480 + random() * 300;
  const boat = 980 + random() * 220;
  return [
    backdrop(palette),
    dark(palette) ? stars(palette, random) : '',
    sun(palette, x, 400, 120),
    rect(0, 520, width, 480, palette.layers[1]),
    ...palette.layers.slice(2).map((color, at) => {
      const ridge = ridgeOf(random, 650 + at * 125, 16);
      return land(ridge, color);
    }),
    times(15, (at) => line(`M${x - 110 + at * 5 + random() * 40} ${545 + at * 28}h${(15 - at) * 13 + random() * 40}`, palette.light, 7, 'opacity=".5"')),
    path(`M${boat - 80} 610h190l-34 52h-122z`, palette.accent),
    polygon(
      [
        [boat, 350],
        [boat, 590],
        [boat + 130, 590],
      ],
      palette.paper,
    ),
    polygon(
      [
        [boat - 14, 400],
        [boat - 14, 590],
        [boat - 90, 590],
      ],
      palette.paper,
      'opacity=".8"',
    ),
  ].join('');
};

/** Roofs in three rows; windows are lit in the nearest two. */
export const city: Motif = (palette, random) => {
  const row = (at: number): string => {
    let x = -40;
    let houses = '';
    while (x < width) {
      const w = 80 + random() * 130;
      const h = 130 + at * 20 + random() ** 1.6 * (520 - at * 60);
      const top = 860 + at * 50 - h;
      houses += rect(x, top, w, height - top, palette.layers[at + 1] ?? palette.layers[4]);
      if (random() < 0.3) houses += rect(x + w / 2 - 3, top - 70, 6, 70, palette.layers[at + 1] ?? palette.layers[4]);
      if (at > 0)
        for (let wx = x + 16; wx < x + w - 26; wx += 32)
          for (let wy = top + 26; wy < height - 30; wy += 46)
            if (random() < 0.42)
              houses += rect(wx, wy, 15, 21, dark(palette) ? palette.accent : palette.light, `opacity="${(0.45 + random() * 0.5).toFixed(2)}"`);
      x += w + (random() < 0.25 ? 40 : 4);
    }
    return houses;
  };
  return [backdrop(palette), dark(palette) ? stars(palette, random) : '', sun(palette, 1180, 270, 92), ...[0, 1, 2].map(row)].join('');
};

/** A winding road to the mountains, with a signpost at each bend. */
export const road: Motif = (palette, random) =>
  [
    backdrop(palette),
    sun(palette, 800, 360, 110),
    ...palette.layers.slice(0, 3).map((color, at) => land(ridgeOf(random, 490 + at * 70, 70 - at * 18), color)),
    path(
      'M640 1000C700 900 1180 850 1130 760C1090 690 640 720 640 650C640 600 830 600 830 560L850 560C860 610 720 615 730 650C745 700 1250 670 1310 770C1370 870 1080 920 1060 1000z',
      palette.paper,
    ),
    ...(
      [
        [1180, 700, 1],
        [590, 640, 0.7],
        [1430, 860, 1.4],
        [420, 880, 1.5],
      ] as const
    ).map(([x, y, size]) =>
      [
        rect(x - 5 * size, y - 90 * size, 10 * size, 100 * size, palette.layers[4]),
        circle(x, y - 110 * size, 34 * size, palette.accent),
        circle(x, y - 110 * size, 13 * size, palette.paper),
      ].join(''),
    ),
    times(9, () => spruce(random() * 380, 850 + random() * 130, 140 + random() * 90, palette.layers[3])),
    times(5, () => spruce(1440 + random() * 140, 930 + random() * 60, 130 + random() * 90, palette.layers[3])),
  ].join('');

/** Height lines of a map, with a route. */
export const contours: Motif = (palette, random) => {
  const centres = [
    [430, 420],
    [1180, 640],
  ] as const;
  const ring = (cx: number, cy: number, size: number, phase: number): string =>
    Array.from({ length: 72 }, (_, at) => {
      const angle = (at * Math.PI) / 36;
      const r = size * (1 + 0.16 * Math.sin(3 * angle + phase) + 0.08 * Math.sin(5 * angle - phase));
      return `${at === 0 ? 'M' : 'L'}${Math.round(cx + r * 1.25 * Math.cos(angle))} ${Math.round(cy + r * Math.sin(angle))}`;
    }).join('') + 'z';
  const phase = random() * 6;
  return [
    rect(0, 0, width, height, palette.sky[1]),
    ...centres.map(([cx, cy], at) =>
      times(9, (step) =>
        path(ring(cx, cy, 520 - step * 56, phase + at * 2 + step * 0.12), palette.layers[Math.min(3, Math.floor(step / 2.4))] ?? '', 'fill-opacity=".32"'),
      ),
    ),
    ...centres.map(([cx, cy], at) =>
      times(9, (step) => line(ring(cx, cy, 520 - step * 56, phase + at * 2 + step * 0.12), palette.layers[3], 2.5, 'opacity=".35"')),
    ),
    line('M180 860C330 700 520 800 640 640S820 420 980 430S1210 560 1330 330', palette.accent, 12, 'stroke-dasharray="2 30"'),
    circle(180, 860, 24, palette.accent),
    path('M1330 330c-60-84-76-108-76-142a76 76 0 1 1 152 0c0 34-16 58-76 142z', palette.accent),
    circle(1330, 186, 28, palette.paper),
  ].join('');
};
