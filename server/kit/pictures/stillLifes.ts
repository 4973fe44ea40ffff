import { backdrop, circle, group, height, line, path, polygon, rect, shadow, sun, table, times, width } from './drawing';
import type { Palette, Motif } from './drawing';

const mug = ({ accent, paper }: Palette, x: number, y: number): string =>
  shadow(x + 20, y, 120) +
  line(`M${x + 84} ${y - 130}c80-10 80 90 0 84`, accent, 24) +
  path(`M${x - 90} ${y - 170}h180v120a50 50 0 0 1-50 50h-80a50 50 0 0 1-50-50z`, accent) +
  rect(x - 90, y - 170, 180, 26, paper, 'opacity=".35"') +
  [-36, 6, 48].map((dx) => line(`M${x + dx} ${y - 200}c-24-40 24-60 0-104`, paper, 9, 'opacity=".6"')).join('');
const plant = ({ layers, accent, paper }: Palette, x: number, y: number, pot = accent): string =>
  shadow(x, y, 110) +
  [-64, -36, -8, 24, 52]
    .map((angle, at) =>
      group(
        `translate(${x} ${y - 150}) rotate(${angle})`,
        path(`M0 0C-58-70-52-${190 + at * 9} 0-${260 - Math.abs(angle)}C52-${190 + at * 9} 58-70 0 0z`, layers[at % 2 === 0 ? 3 : 4]) +
          line(`M0-14V-${210 - Math.abs(angle)}`, paper, 3, 'opacity=".35"'),
      ),
    )
    .join('') +
  path(`M${x - 84} ${y - 160}h168l-24 160h-120z`, pot) +
  rect(x - 94, y - 172, 188, 34, pot) +
  rect(x - 94, y - 138, 188, 10, '#000', 'opacity=".14"');
/** Lines of writing in a box. */
const writing = (x: number, y: number, w: number, rows: number, color: string, thickness = 9): string =>
  times(rows, (at) => line(`M${x} ${y + at * thickness * 3.4}h${at % 3 === 2 ? w * 0.56 : at % 2 ? w * 0.86 : w}`, color, thickness, 'opacity=".55"'));

/** An open notebook with a pen, a mug and a plant. */
export const desk: Motif = (palette, random) => {
  const flip = random() < 0.5;
  const [left, right] = flip ? [1330, 250] : [250, 1340];
  return [
    backdrop(palette),
    sun(palette, flip ? 420 : 1180, 260, 130),
    table(palette, 660),
    plant(palette, left, 800, palette.layers[4]),
    shadow(800, 868, 420),
    polygon(
      [
        [440, 610],
        [796, 640],
        [796, 870],
        [390, 850],
      ],
      palette.paper,
    ),
    polygon(
      [
        [1160, 610],
        [804, 640],
        [804, 870],
        [1210, 850],
      ],
      palette.paper,
    ),
    polygon(
      [
        [796, 640],
        [804, 640],
        [804, 870],
        [796, 870],
      ],
      palette.layers[0],
    ),
    writing(490, 680, 250, 5, palette.layers[2]),
    writing(860, 690, 250, 3, palette.layers[2]),
    group(
      'translate(1010 800) rotate(-24)',
      rect(-190, -12, 330, 24, palette.accent, 'rx="5"') +
        polygon(
          [
            [140, -12],
            [192, 0],
            [140, 12],
          ],
          palette.layers[4],
        ),
    ),
    mug(palette, right, 850),
  ].join('');
};

/** Shelves of books. */
export const books: Motif = (palette, random) => {
  const colors = [...palette.layers.slice(1), palette.accent, palette.paper];
  const shelf = (y: number): string => {
    let x = 150;
    let row = rect(90, y, 1420, 26, palette.layers[4]);
    while (x < 1280) {
      const w = 40 + random() * 52;
      const h = 190 + random() * 84;
      const color = colors[Math.floor(random() * colors.length)] ?? palette.accent;
      const band = color === palette.paper ? palette.layers[2] : palette.paper;
      const book = rect(-w, -h, w, h, color, 'rx="4"') + rect(-w, -h * 0.84, w, 10, band, 'opacity=".6"') + rect(-w, -h * 0.22, w, 22, band, 'opacity=".35"');
      const leans = random() < 0.09;
      row += group(`translate(${Math.round(x + w)} ${y}) rotate(${leans ? -9 : 0})`, book);
      x += w + (leans ? 46 : 5);
    }
    return row;
  };
  return [
    backdrop(palette),
    rect(90, 60, 1420, 900, palette.layers[0], 'opacity=".45"'),
    shelf(340),
    shelf(630),
    shelf(920),
    group('translate(420 189) scale(.7)', plant(palette, 1400, 630, palette.accent)),
    group('translate(424 276) scale(.7)', plant(palette, 1400, 920, palette.layers[3])),
  ].join('');
};

/** Index cards, linked by threads. */
export const cards: Motif = (palette, random) => {
  const places = [
    [300, 280, -7],
    [780, 210, 4],
    [1270, 300, -3],
    [520, 660, 6],
    [1050, 690, -5],
  ] as const;
  const threads = [
    [0, 1],
    [1, 2],
    [0, 3],
    [1, 3],
    [1, 4],
    [2, 4],
    [3, 4],
  ] as const;
  const pin = (at: number): readonly [number, number] => [(places[at]?.[0] ?? 0) + 6, (places[at]?.[1] ?? 0) - 92];
  return [
    backdrop(palette),
    times(9, (at) => rect(0, at * 120, width, 60, palette.layers[0], 'opacity=".12"')),
    ...places.map(([x, y, angle]) =>
      group(
        `translate(${x} ${y}) rotate(${angle})`,
        rect(-188, -112, 400, 252, '#000', 'opacity=".12" rx="12"') +
          rect(-200, -126, 400, 252, palette.paper, 'rx="12"') +
          rect(-200, -126, 400, 46, palette.layers[Math.floor(random() * 3)] ?? '', 'rx="12"') +
          writing(-160, -40, 310, 4, palette.layers[3], 10),
      ),
    ),
    ...threads.map(([from, to]) => {
      const [[x1, y1], [x2, y2]] = [pin(from), pin(to)];
      return line(`M${x1} ${y1}Q${(x1 + x2) / 2} ${(y1 + y2) / 2 + 90} ${x2} ${y2}`, palette.accent, 5);
    }),
    ...places.map((_, at) => circle(pin(at)[0], pin(at)[1], 17, palette.accent) + circle(pin(at)[0] - 5, pin(at)[1] - 5, 5, palette.paper)),
  ].join('');
};

/** A window with the view of a hill, a lamp beside it. */
export const nightWindow: Motif = (palette, random) =>
  [
    rect(0, 0, width, height, palette.layers[3]),
    `<defs><radialGradient id="glow"><stop stop-color="${palette.accent}" stop-opacity=".55"/><stop offset="1" stop-color="${palette.accent}" stop-opacity="0"/></radialGradient></defs>`,
    `<svg x="260" y="110" width="700" height="600" viewBox="0 0 700 600">${backdrop(palette)}${times(40, () => circle(random() * 700, random() * 400, 1.5 + random() * 2.5, palette.light, 'opacity=".7"'))}${circle(500, 170, 70, palette.light)}${circle(470, 152, 62, palette.sky[0])}${path('M0 470Q180 330 360 450T700 400V600H0z', palette.layers[2])}${path('M0 540Q240 440 480 520T700 500V600H0z', palette.layers[4])}</svg>`,
    line('M260 110H960V710H260zM610 110V710M260 410H960', palette.layers[0], 22),
    rect(210, 706, 800, 34, palette.layers[0]),
    rect(0, 820, width, 180, palette.layers[4]),
    circle(1250, 560, 430, 'url(#glow)'),
    line('M1250 820V470', palette.layers[0], 16),
    polygon(
      [
        [1180, 330],
        [1320, 330],
        [1400, 490],
        [1100, 490],
      ],
      palette.accent,
    ),
    `<ellipse cx="1250" cy="820" rx="110" ry="22" fill="${palette.layers[0]}"/>`,
    rect(420, 776, 360, 44, palette.paper, 'rx="6"') + rect(450, 738, 320, 38, palette.accent, 'rx="6"') + rect(436, 704, 300, 34, palette.layers[1], 'rx="6"'),
  ].join('');

/** Pears, a bowl and a vase with twigs. */
export const fruit: Motif = (palette, random) => {
  const pear = (x: number, y: number, size: number, color: string, tilt: number): string =>
    shadow(x, y, size * 0.7) +
    group(
      `translate(${x} ${y}) rotate(${tilt}) scale(${(size / 100).toFixed(2)})`,
      path('M0 0C-74 0-82-86-46-122C-28-142-34-190 0-196C34-190 28-142 46-122C82-86 74 0 0 0z', color) +
        line('M0-194c4-24 14-34 26-40', palette.layers[4], 8) +
        path('M-36-46c-10-34 2-62 16-76', 'none', `stroke="${palette.paper}" stroke-width="10" stroke-linecap="round" opacity=".45"`),
    );
  const twig = (angle: number): string =>
    group(
      `translate(430 470) rotate(${angle})`,
      line('M0 0C14-120-10-230 6-340', palette.layers[4], 8) +
        times(6, (at) => circle((at % 2 ? 26 : -24) + random() * 8, -110 - at * 42, 19, at % 3 ? palette.accent : palette.paper)),
    );
  return [
    backdrop(palette),
    rect(960, 0, 420, 640, palette.layers[0], 'opacity=".35"'),
    table(palette, 640),
    twig(-24),
    twig(2),
    twig(26),
    shadow(430, 830, 190),
    path('M370 460h120c-6 60 96 120 96 230c0 90-60 140-156 140s-156-50-156-140c0-110 102-170 96-230z', palette.layers[3]),
    line('M330 640c10 70 50 100 90 110', palette.paper, 10, 'opacity=".4"'),
    pear(800, 856, 112, palette.accent, -6),
    pear(948, 884, 92, palette.layers[0], 9),
    shadow(1230, 826, 230),
    circle(1150, 640, 78, palette.accent) + circle(1290, 630, 84, palette.layers[0]) + circle(1220, 590, 74, palette.light),
    path('M1000 660h460c0 110-90 166-160 166h-140c-70 0-160-56-160-166z', palette.paper),
    rect(1000, 660, 460, 26, palette.layers[0], 'opacity=".5"'),
  ].join('');
};

/** Boxes that are stacked to move, a plane of paper above. */
export const boxes: Motif = (palette) => {
  const box = (x: number, y: number, w: number, h: number, color: string): string =>
    rect(x, y - h, w, h, color, 'rx="6"') +
    rect(x, y - h, w, h * 0.2, '#fff', 'opacity=".18"') +
    rect(x + w * 0.43, y - h, w * 0.14, h * 0.34, palette.paper, 'opacity=".7"') +
    rect(x + w * 0.64, y - h * 0.32, w * 0.26, h * 0.2, palette.paper, 'opacity=".8" rx="4"');
  return [
    backdrop(palette),
    sun(palette, 1160, 330, 150),
    table(palette, 790),
    shadow(620, 880, 480),
    box(200, 880, 400, 280, palette.layers[3]),
    box(620, 880, 440, 330, palette.accent),
    box(280, 600, 340, 230, palette.layers[1]),
    box(680, 550, 280, 190, palette.layers[4]),
    line('M1010 420C1110 300 1200 480 1290 330', palette.paper, 7, 'stroke-dasharray="4 26"'),
    polygon(
      [
        [1290, 290],
        [1530, 180],
        [1400, 400],
      ],
      palette.paper,
    ),
    polygon(
      [
        [1290, 290],
        [1530, 180],
        [1368, 330],
      ],
      palette.layers[0],
    ),
    polygon(
      [
        [1368, 330],
        [1530, 180],
        [1380, 392],
      ],
      palette.layers[1],
    ),
  ].join('');
};
