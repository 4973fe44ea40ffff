/** Illustrations of fixtures, drawn from a number, so that pictures of themes need neither files nor a network. */

const palettes = [
  ['#0b3954', '#1c7293', '#9fd3c7', '#f4e9cd', '#f2a65a'],
  ['#2d1e2f', '#6b2d5c', '#c8553d', '#f28f3b', '#ffd5c2'],
  ['#14342b', '#2f6d57', '#7fb685', '#dfe5c8', '#f3b562'],
  ['#1b1f3b', '#3d4a8a', '#7b8fd4', '#dbe2f5', '#f7c59f'],
  ['#3a2e39', '#7c616c', '#c7a98f', '#f0e2cf', '#8fb8b1'],
] as const;

/** Numbers between 0 and 1 that are the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + 0x9e_37_79_b9) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const paletteOf = (seed: number) => palettes[seed % palettes.length] ?? palettes[0];
const svg = (width: number, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}">${content}</svg>`;
const gradient = (id: string, from: string, to: string, angle = 90) =>
  `<linearGradient id="${id}" gradientTransform="rotate(${String(angle)})"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

/** Hills under a low sun. */
export function landscape(seed: number, width = 1600, height = 1000): string {
  const random = randomOf(seed + 11);
  const [deep, dark, middle, light, warm] = paletteOf(seed);
  const hills = [middle, dark, deep].map((color, at) => {
    const base = height * (0.5 + at * 0.16);
    const points = Array.from({ length: 6 }, (_, i) => [(width / 5) * i, base - random() * height * 0.22] as const);
    const curve = points
      .map(([x, y], i) => (i === 0 ? `L${x.toFixed(0)} ${y.toFixed(0)}` : `S${(x - width / 10).toFixed(0)} ${y.toFixed(0)} ${x.toFixed(0)} ${y.toFixed(0)}`))
      .join('');
    return `<path d="M0 ${String(height)}${curve}L${String(width)} ${String(height)}Z" fill="${color}" opacity="${at === 0 ? '.75' : '1'}"/>`;
  });
  const x = width * (0.25 + random() * 0.5);
  return svg(
    width,
    height,
    `<defs>${gradient('s', light, warm)}</defs><rect width="100%" height="100%" fill="url(#s)"/><circle cx="${x.toFixed(0)}" cy="${(height * 0.36).toFixed(0)}" r="${(height * 0.13).toFixed(0)}" fill="${light}"/>${hills.join('')}`,
  );
}

/** Facades with windows: buildings, offices, workshops. */
export function building(seed: number, width = 1600, height = 1000): string {
  const random = randomOf(seed + 29);
  const [deep, dark, middle, light, warm] = paletteOf(seed);
  const towers = Array.from({ length: 7 }, (_, i) => {
    const x = (width / 7) * i;
    const top = height * (0.2 + random() * 0.45);
    const color = [deep, dark, middle][i % 3] ?? deep;
    const step = width / 7 / 5;
    const windows = Array.from({ length: 4 * Math.floor((height - top) / (step * 1.6)) }, (_unused, n) => {
      const lit = random() > 0.72 ? warm : light;
      return `<rect x="${(x + step * (0.65 + (n % 4))).toFixed(0)}" y="${(top + step * (0.8 + Math.floor(n / 4) * 1.6)).toFixed(0)}" width="${(step * 0.6).toFixed(0)}" height="${(step * 0.9).toFixed(0)}" fill="${lit}" opacity="${lit === warm ? '.95' : '.28'}"/>`;
    });
    return `<rect x="${x.toFixed(0)}" y="${top.toFixed(0)}" width="${(width / 7 + 1).toFixed(0)}" height="${String(height)}" fill="${color}"/>${windows.join('')}`;
  });
  return svg(width, height, `<defs>${gradient('s', middle, light)}</defs><rect width="100%" height="100%" fill="url(#s)"/>${towers.join('')}`);
}

/** Arcs and discs: ideas, products, methods. */
export function shapes(seed: number, width = 1600, height = 1000): string {
  const random = randomOf(seed + 47);
  const [deep, dark, middle, light, warm] = paletteOf(seed);
  const unit = height / 3;
  const tiles = Array.from({ length: Math.ceil(width / unit) * 3 }, (_, n) => {
    const x = Math.floor(n / 3) * unit;
    const y = (n % 3) * unit;
    const [back, front] = [
      [light, dark],
      [dark, warm],
      [middle, deep],
      [warm, light],
      [deep, middle],
    ][Math.floor(random() * 5)] ?? [light, dark];
    const corner = Math.floor(random() * 4);
    const disc = random() > 0.7;
    const [cx, cy] = disc ? [x + unit / 2, y + unit / 2] : [x + (corner % 2) * unit, y + (corner > 1 ? unit : 0)];
    return `<svg x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${(unit + 0.5).toFixed(1)}" height="${(unit + 0.5).toFixed(1)}" viewBox="${x.toFixed(1)} ${y.toFixed(1)} ${unit.toFixed(1)} ${unit.toFixed(1)}"><rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${String(unit + 1)}" height="${String(unit + 1)}" fill="${back}"/><circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${(disc ? unit * 0.32 : unit).toFixed(1)}" fill="${front}"/></svg>`;
  });
  return svg(width, height, tiles.join(''));
}

/** A person, drawn as head and shoulders. */
export function portrait(seed: number, width = 800, height = 1000): string {
  const random = randomOf(seed + 83);
  const [deep, dark, middle, light] = paletteOf(seed);
  const skin = ['#f1c9a5', '#d8a47f', '#a9714b', '#f3d3b8', '#8a5a3b'][Math.floor(random() * 5)] ?? '#d8a47f';
  const hair = ['#1d1a1f', '#3b2a20', '#5b3a29', '#2b2b35'][Math.floor(random() * 4)] ?? '#1d1a1f';
  const long = random() > 0.5;
  return svg(
    width,
    height,
    `<defs>${gradient('b', light, middle)}</defs><rect width="800" height="1000" fill="url(#b)"/>
    ${long ? `<rect x="240" y="290" width="320" height="420" rx="150" fill="${hair}"/>` : ''}
    <path d="M90 1000c0-210 120-290 310-290s310 80 310 290z" fill="${dark}"/><path d="M330 600h140v150c0 60-140 60-140 0z" fill="${skin}"/><path d="M330 650c40 40 100 40 140 0v40c-40 40-100 40-140 0z" fill="${deep}" opacity=".18"/>
    <ellipse cx="400" cy="450" rx="140" ry="180" fill="${skin}"/><path d="M252 440c-10-150 70-220 160-215 100 4 150 90 138 215-20-90-60-120-150-125-80 0-120 40-148 125z" fill="${hair}"/>`,
  );
}

/** A word mark of a company. */
export const logo = (name: string, seed: number): string =>
  svg(
    320,
    72,
    `<circle cx="36" cy="36" r="${String(16 + (seed % 3) * 4)}" fill="none" stroke="#77808c" stroke-width="${String(6 + (seed % 2) * 4)}"/><text x="76" y="47" font-family="Roboto, Noto Sans CJK SC, sans-serif" font-size="32" font-weight="700" fill="#77808c">${name}</text>`,
  );
