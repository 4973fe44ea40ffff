import { backdrop, circle, group, height, line, path, polygon, rect, times, width } from './drawing';
import type { Motif } from './drawing';

const bars = (x: number, y: number, widths: readonly number[], color: string, h = 18): string =>
  widths.map((w, at) => rect(x, y + at * h * 2.2, w, h, color, `rx="${h / 2}"`)).join('');

/** The program on a laptop, a tablet and a phone. */
export const devices: Motif = (palette, random) => {
  const { paper, layers, accent } = palette;
  const hill = (x: number, y: number, w: number, h: number): string =>
    `<svg x="${x}" y="${y}" width="${w}" height="${h}" viewBox="0 0 300 160" preserveAspectRatio="none">${rect(0, 0, 300, 160, palette.sky[1])}${circle(90 + random() * 130, 52, 22, accent)}${path('M0 120L80 60L150 116L220 70L300 128V160H0z', layers[2])}</svg>`;
  return [
    backdrop(palette),
    circle(800, 520, 430, layers[0], 'opacity=".35"'),
    rect(330, 210, 860, 560, layers[4], 'rx="28"') + rect(356, 236, 808, 508, paper, 'rx="8"'),
    rect(356, 236, 190, 508, layers[0], 'opacity=".55"') + bars(386, 280, [120, 90, 130, 100, 76, 112], layers[3]),
    rect(386, 276, 128, 30, accent, 'rx="15"'),
    bars(590, 290, [300, 460], layers[3], 22) + hill(590, 400, 520, 190) + bars(590, 626, [500, 430], layers[1]),
    polygon(
      [
        [230, 770],
        [1290, 770],
        [1240, 820],
        [280, 820],
      ],
      layers[3],
    ),
    rect(1080, 440, 330, 440, layers[4], 'rx="26"') +
      rect(1102, 462, 286, 396, paper, 'rx="8"') +
      hill(1128, 488, 234, 150) +
      bars(1128, 668, [210, 234, 160], layers[2]),
    rect(180, 520, 200, 380, layers[4], 'rx="30"') +
      rect(196, 538, 168, 344, paper, 'rx="16"') +
      bars(216, 574, [90, 128], layers[3]) +
      hill(216, 660, 128, 90) +
      bars(216, 782, [128, 96], layers[1], 14),
  ].join('');
};

/** Two notebooks that circle each other. */
export const orbits: Motif = (palette) => {
  const { paper, layers, accent } = palette;
  const sheet = (x: number, y: number, angle: number, head: string): string =>
    group(
      `translate(${x} ${y}) rotate(${angle})`,
      rect(-112, -138, 240, 300, '#000', 'rx="18" opacity=".13"') +
        rect(-120, -150, 240, 300, paper, 'rx="18"') +
        rect(-120, -150, 240, 64, head, 'rx="18"') +
        bars(-84, -50, [168, 132, 160, 96], layers[1]),
    );
  const arrow = (angle: number): string =>
    group(
      `translate(800 500) rotate(${angle})`,
      line('M-330-130A355 355 0 0 1 300-190', accent, 20) +
        polygon(
          [
            [272, -242],
            [338, -150],
            [232, -154],
          ],
          accent,
        ),
    );
  return [
    backdrop(palette),
    ...[480, 400, 320].map((r, at) => circle(800, 500, r, layers[at] ?? '', 'opacity=".3"')),
    arrow(0),
    arrow(180),
    sheet(672, 555, -8, layers[3]),
    sheet(938, 452, 7, layers[2]),
  ].join('');
};

/** A table of cells, one column lifted. */
export const grid: Motif = (palette, random) => {
  const { paper, layers, accent } = palette;
  const cell = (x: number, y: number, head: boolean, lifted: boolean): string =>
    rect(x, y, 224, 82, head ? (lifted ? accent : layers[3]) : paper, 'rx="10"') +
    rect(x + 28, y + 32, 70 + random() * 98, 18, head ? paper : lifted ? accent : layers[1], `rx="9" opacity="${head ? 0.9 : 0.6}"`);
  return [
    backdrop(palette),
    group(
      'rotate(-6 800 500)',
      times(5, (column) => times(9, (row) => (column === 3 ? '' : cell(140 + column * 244, 90 + row * 98, row === 0, false)))) +
        rect(866, 16, 232, 950, '#000', 'opacity=".1" rx="14"') +
        times(9, (row) => cell(856, 30 + row * 98, row === 0, true)),
    ),
    path('M1150 640l150 70-64 22-26 66z', layers[4], `stroke="${paper}" stroke-width="10" stroke-linejoin="round"`),
  ].join('');
};

/** Tags on strings. */
export const labels: Motif = (palette, random) => {
  const colors = [palette.accent, ...palette.layers.slice(1, 4), palette.paper];
  return [
    backdrop(palette),
    line('M-20 120Q800 300 1620 100', palette.layers[4], 8),
    ...[150, 400, 650, 900, 1150, 1400].map((x, at) => {
      const t = (x + 20) / 1640;
      const y = (1 - t) ** 2 * 120 + 2 * t * (1 - t) * 300 + t ** 2 * 100;
      const color = colors[at % colors.length] ?? palette.accent;
      const ink = color === palette.paper ? palette.layers[3] : palette.paper;
      return group(
        `translate(${x} ${Math.round(y)}) rotate(${Math.round(random() * 16 - 8)})`,
        line('M0 0C-10 40 10 60 0 96', palette.layers[4], 5) +
          path(`M-86 150L-30 84h60L86 150V${430 + Math.round(random() * 130)}a18 18 0 0 1-18 18H-68a18 18 0 0 1-18-18z`, color) +
          circle(0, 126, 17, palette.layers[4]) +
          bars(-50, 214, [100, 72, 92], ink, 16),
      );
    }),
  ].join('');
};

/** Lines of text under a magnifying glass. */
export const search: Motif = (palette, random) => {
  const { paper, layers, accent } = palette;
  const rows = (scale: number, mark: boolean): string =>
    times(9, (at) => {
      const lengths = [110, 190, 140, 230, 120, 170].map((w) => w * (0.7 + ((at * 37 + w) % 10) / 16));
      let x = 250;
      return lengths
        .map((w, column) => {
          const shape = rect(x, 170 + at * 78, w * scale, 26, mark && (at * 5 + column) % 6 === 3 ? accent : layers[1], 'rx="13" opacity=".75"');
          x += w * scale + 26;
          return x > 1370 ? '' : shape;
        })
        .join('');
    });
  const shift = random() * 60;
  return [
    backdrop(palette),
    rect(180, 90, 1240, 840, paper, 'rx="24"'),
    rows(1, false),
    group(
      `translate(${shift} 0)`,
      line('M1010 700L1220 910', layers[4], 60) +
        circle(860, 540, 250, layers[4]) +
        `<clipPath id="glass"><circle cx="860" cy="540" r="216"/></clipPath><g clip-path="url(#glass)">${rect(600, 300, 520, 480, palette.sky[0])}${group('translate(-620 -430) scale(1.75)', rows(1, true))}</g>` +
        line('M720 460A170 170 0 0 1 830 376', '#fff', 14, 'opacity=".7"'),
    ),
  ].join('');
};

/** Overlapping arcs, as of a page that breathes. */
export const arcs: Motif = (palette, random) => {
  const colors = [...palette.layers.slice(0, 4), palette.accent, palette.paper];
  return [
    rect(0, 0, width, height, palette.sky[0]),
    times(8, (column) =>
      times(5, (row) => {
        const [x, y] = [column * 200, row * 200];
        const color = colors[Math.floor(random() * colors.length)] ?? '';
        const under = colors[Math.floor(random() * 3)] ?? '';
        const turn = Math.floor(random() * 4) * 90;
        const shape =
          random() < 0.3
            ? circle(0, 0, 66, color)
            : path('M-100-100A200 200 0 0 1 100 100H-100z', color) + (random() < 0.4 ? path('M-100-10A110 110 0 0 1 10 100H-100z', under) : '');
        return group(`translate(${x + 100} ${y + 100}) rotate(${turn})`, rect(-100, -100, 201, 201, under, 'opacity=".5"') + shape);
      }),
    ),
  ].join('');
};

/** Panes by day and by night. */
export const halves: Motif = (palette) => {
  const pane = (x: number, ground: string, ink: string, mark: string): string =>
    rect(x, 190, 460, 620, ground, 'rx="26"') +
    circle(x + 96, 290, 42, mark) +
    bars(x + 166, 262, [220, 150], ink, 20) +
    rect(x + 54, 380, 352, 170, ink, 'opacity=".3" rx="14"') +
    bars(x + 54, 600, [352, 300, 330, 180], ink, 18);
  return [
    rect(0, 0, 800, height, palette.layers[0]),
    rect(800, 0, 800, height, palette.layers[4]),
    circle(800, 500, 420, palette.layers[1], 'opacity=".35"'),
    pane(300, palette.paper, palette.layers[2], palette.accent),
    pane(840, palette.layers[3], palette.paper, palette.accent),
  ].join('');
};
