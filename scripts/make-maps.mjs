// Generates the outlines of the console's two maps (src/features/analytics/maps/{china,world}.ts) from the map data of Apache ECharts 4.9.0 (Apache License
// 2.0), which draws China and its neighbours as publications in China must. Run it in a separate folder:
//   npm pack echarts@4.9.0 && tar xzf echarts-4.9.0.tgz
//   node <this repository>/scripts/make-maps.mjs package
// Both maps are projected, simplified border by border (neighbours stay connected), and written as integer paths.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = process.argv[2];
if (!source) throw new Error('Name the folder of the unpacked echarts@4.9.0 package');
const out = join(import.meta.dirname, '..', 'src', 'features', 'analytics', 'maps');

/** ECharts encodes coordinates as zig-zag differences in characters, in 1/1024 of a degree. */
function unpack(text, [x0, y0]) {
  const back = (n) => (n >> 1) ^ -(n & 1);
  const ring = [];
  let [x, y] = [x0, y0];
  for (let at = 0; at < text.length; at += 2) {
    x += back(text.charCodeAt(at) - 64);
    y += back(text.charCodeAt(at + 1) - 64);
    ring.push([x / 1024, y / 1024]);
  }
  return ring;
}
function load(name) {
  const json = JSON.parse(readFileSync(join(source, 'map', 'json', `${name}.json`), 'utf8'));
  return json.features.map(({ properties, geometry: { type, coordinates, encodeOffsets } }) => {
    const one = (rings, offsets) => (json.UTF8Encoding ? rings.map((ring, at) => unpack(ring, offsets[at])) : rings);
    const polygons = type === 'Polygon' ? [one(coordinates, encodeOffsets)] : coordinates.map((rings, at) => one(rings, encodeOffsets?.[at]));
    return { name: properties.name, id: properties.id, polygons: polygons.filter((rings) => rings.length > 0) };
  });
}

const area2 = (ring) =>
  ring.reduce((sum, [x, y], at) => {
    const [x2, y2] = ring[(at + 1) % ring.length];
    return sum + x * y2 - x2 * y;
  }, 0);
const open = (ring) => {
  const [a, b] = [ring[0], ring[ring.length - 1]];
  const list = a[0] === b[0] && a[1] === b[1] ? ring.slice(0, -1) : ring;
  return list.filter(([x, y], at) => {
    const before = list[(at + list.length - 1) % list.length];
    return x !== before[0] || y !== before[1];
  });
};
const key = ([x, y]) => `${x},${y}`;

/** Returns the rings of one region, all in one direction, without the borders that two of them share (a country cut at 180° becomes whole again). */
function merged(polygons) {
  const rings = polygons.flatMap(([outer, ...holes]) => [
    area2(open(outer)) > 0 ? open(outer) : open(outer).toReversed(),
    ...holes.map((hole) => (area2(open(hole)) < 0 ? open(hole) : open(hole).toReversed())),
  ]);
  const edges = new Map();
  for (const ring of rings)
    for (let at = 0; at < ring.length; at += 1) {
      const [a, b] = [ring[at], ring[(at + 1) % ring.length]];
      if (!edges.delete(`${key(b)} ${key(a)}`)) edges.set(`${key(a)} ${key(b)}`, [a, b]);
    }
  const total = rings.reduce((sum, ring) => sum + ring.length, 0);
  if (edges.size === total) return rings;
  const from = new Map();
  for (const [a, b] of edges.values()) from.set(key(a), [...(from.get(key(a)) ?? []), b]);
  const joined = [];
  for (const start of from.keys()) {
    while ((from.get(start) ?? []).length > 0) {
      const ring = [];
      let here = start;
      do {
        const next = from.get(here)?.pop();
        if (next === undefined) break;
        ring.push(next);
        here = key(next);
      } while (here !== start);
      if (ring.length > 2) joined.push(ring);
    }
  }
  return joined;
}

/** Simplifies an open line by the Douglas–Peucker algorithm. */
function thinned(line, tolerance) {
  if (line.length < 3) return line;
  const [a, b] = [line[0], line[line.length - 1]];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  let [far, at] = [0, 0];
  for (let i = 1; i < line.length - 1; i += 1) {
    const [x, y] = line[i];
    const distance = length === 0 ? Math.hypot(x - a[0], y - a[1]) : Math.abs((b[0] - a[0]) * (a[1] - y) - (a[0] - x) * (b[1] - a[1])) / length;
    if (distance > far) [far, at] = [distance, i];
  }
  if (far <= tolerance) return [a, b];
  return [...thinned(line.slice(0, at + 1), tolerance).slice(0, -1), ...thinned(line.slice(at), tolerance)];
}

/** Simplifies all rings together: a border between two regions is one line, simplified once, so that no gap opens. */
function simplified(regions, tolerance) {
  const neighbours = new Map();
  const note = (point, other) => neighbours.set(key(point), (neighbours.get(key(point)) ?? new Set()).add(key(other)));
  for (const { rings } of regions)
    for (const ring of rings)
      for (let at = 0; at < ring.length; at += 1) {
        const next = ring[(at + 1) % ring.length];
        note(ring[at], next);
        note(next, ring[at]);
      }
  const isNode = (point) => neighbours.get(key(point)).size !== 2;
  const done = new Map();
  const lineOf = (line) => {
    const [one, other] = [line.map(key).join(' '), line.map(key).toReversed().join(' ')];
    const name = one < other ? one : other;
    if (!done.has(name)) done.set(name, thinned(one < other ? line : line.toReversed(), tolerance));
    return one < other ? done.get(name) : done.get(name).toReversed();
  };
  return regions.map((region) => ({
    ...region,
    rings: region.rings.map((ring) => {
      // A ring without a node (an island) is cut at its two farthest points, selected the same way for an enclave and its hole.
      let cuts = ring.flatMap((point, at) => (isNode(point) ? [at] : []));
      if (cuts.length < 2) {
        const first = cuts[0] ?? ring.reduce((best, point, at) => (key(point) < key(ring[best]) ? at : best), 0);
        const reach = (point) => Math.hypot(point[0] - ring[first][0], point[1] - ring[first][1]);
        const second = ring.reduce((best, point, at) => (reach(point) > reach(ring[best]) ? at : best), first);
        cuts = [first, second].toSorted((a, b) => a - b);
      }
      return cuts.flatMap((cut, n) => {
        const end = cuts[(n + 1) % cuts.length];
        const line = end > cut ? ring.slice(cut, end + 1) : [...ring.slice(cut), ...ring.slice(0, end + 1)];
        return lineOf(line).slice(0, -1);
      });
    }),
  }));
}

const bounds = (points) => [
  Math.min(...points.map(([x]) => x)),
  Math.min(...points.map(([, y]) => y)),
  Math.max(...points.map(([x]) => x)),
  Math.max(...points.map(([, y]) => y)),
];
const size = (ring) => {
  const [x1, y1, x2, y2] = bounds(ring);
  return Math.max(x2 - x1, y2 - y1);
};
/** Enlarges, in place, what is too small to be seen. */
function grown(ring, least) {
  const [x1, y1, x2, y2] = bounds(ring);
  const factor = least / Math.max(size(ring), 0.01);
  if (factor <= 1) return ring;
  if (ring.length < 4) return dot((x1 + x2) / 2, (y1 + y2) / 2, least / 2);
  return ring.map(([x, y]) => [(x1 + x2) / 2 + (x - (x1 + x2) / 2) * factor, (y1 + y2) / 2 + (y - (y1 + y2) / 2) * factor]);
}
const dot = (x, y, r) => [
  [x - r, y],
  [x, y - r],
  [x + r, y],
  [x, y + r],
];

/** Returns the relative integer path of closed rings: `m` and `l` with differences, `z`. */
function pathOf(rings) {
  let [px, py] = [0, 0];
  const number = (n) => (n < 0 ? String(n) : ` ${n}`);
  return rings
    .map((ring) =>
      ring
        .map(([x, y]) => [Math.round(x), Math.round(y)])
        .filter(([x, y], at, all) => {
          const before = all[(at + all.length - 1) % all.length];
          return x !== before[0] || y !== before[1];
        }),
    )
    .filter((ring) => ring.length > 2)
    .map((ring) => {
      let text = '';
      const start = ring[0];
      ring.forEach(([x, y], at) => {
        text += `${at === 0 ? 'm' : at === 1 ? 'l' : ''}${at < 2 ? String(x - px) : number(x - px)}${number(y - py)}`;
        [px, py] = [x, y];
      });
      // After `z` the pen is back where the ring began.
      [px, py] = start;
      return `${text}z`;
    })
    .join('');
}
/** Returns the position of a name: the centre of gravity of the largest ring. */
function centre(rings) {
  const ring = rings.toSorted((a, b) => Math.abs(area2(b)) - Math.abs(area2(a)))[0];
  const twice = area2(ring);
  if (Math.abs(twice) < 100) {
    const [x1, y1, x2, y2] = bounds(ring);
    return [Math.round((x1 + x2) / 2), Math.round((y1 + y2) / 2)];
  }
  const [x, y] = ring.reduce(
    ([sx, sy], [x1, y1], at) => {
      const [x2, y2] = ring[(at + 1) % ring.length];
      const cross = x1 * y2 - x2 * y1;
      return [sx + (x1 + x2) * cross, sy + (y1 + y2) * cross];
    },
    [0, 0],
  );
  return [Math.round(x / (3 * twice)), Math.round(y / (3 * twice))];
}

const rad = Math.PI / 180;
const licence = `// Made by scripts/make-maps.mjs from the map data of Apache ECharts 4.9.0, Apache License 2.0 (NOTICE in this folder). Not to be changed by hand.`;
const quote = (text) => `'${text}'`;
const regionLine = ({ code, rings, at }) => `${code} ${at[0]} ${at[1]} ${pathOf(rings)}`;

/** The inset as ECharts draws it, in its own units: coast, Hainan, dashes (each a thin slanted box). */
const inset = JSON.parse(/var points = (\[\[.*?\]\]\]);/.exec(readFileSync(join(source, 'lib', 'coord', 'geo', 'fix', 'nanhai.js'), 'utf8'))[1]);
const [coast, hainan, ...rest] = inset;
const dashes = rest.slice(0, 9).map((box) => [
  [(box[0][0] + box[3][0]) / 2, box[0][1]],
  [(box[1][0] + box[2][0]) / 2, box[1][1]],
]);
const [frameWidth, frameHeight] = [64, 93.1];
// Converts the inset's units to degrees, calibrated on its Hainan and the southern tip of its Taiwan.
const degrees = ([x, y]) => [109.8 + (x - 15) * 0.2695, 19.16 - (y - 18.9) * 0.2446];
const units = ([lon, lat]) => [15 + (lon - 109.8) / 0.2695, 18.9 - (lat - 19.16) / 0.2446];
/** The tenth dash lies east of Taiwan, outside the inset (vertical standard map, 2013). */
const eastern = [
  [122.52, 23.46],
  [122.8, 24.57],
];
/** Islands of the inset: Dongsha, Xisha, Huangyan, three of the Nansha (Taiping, Yongshu, Meiji), Zengmu. */
const islands = [
  [116.72, 20.7],
  [112.34, 16.83],
  [117.76, 15.15],
  [114.36, 10.38],
  [112.89, 9.55],
  [115.53, 9.9],
  [112.28, 3.97],
];
const dashPath = (lines) => lines.map(([a, b]) => `M${Math.round(a[0])} ${Math.round(a[1])}L${Math.round(b[0])} ${Math.round(b[1])}`).join('');

// China: equal-area conic (Albers), 105° E, true at 25° and 47° N, as is usual for maps of the country. Tenths of a pixel at 800 px.
const short = {
  11: 'BJ',
  12: 'TJ',
  13: 'HE',
  14: 'SX',
  15: 'NM',
  21: 'LN',
  22: 'JL',
  23: 'HL',
  31: 'SH',
  32: 'JS',
  33: 'ZJ',
  34: 'AH',
  35: 'FJ',
  36: 'JX',
  37: 'SD',
  41: 'HA',
  42: 'HB',
  43: 'HN',
  44: 'GD',
  45: 'GX',
  46: 'HI',
  50: 'CQ',
  51: 'SC',
  52: 'GZ',
  53: 'YN',
  54: 'XZ',
  61: 'SN',
  62: 'GS',
  63: 'QH',
  64: 'NX',
  65: 'XJ',
  71: 'TW',
  81: 'HK',
  82: 'MO',
};
const n = (Math.sin(25 * rad) + Math.sin(47 * rad)) / 2;
const c = Math.cos(25 * rad) ** 2 + 2 * n * Math.sin(25 * rad);
const albers = ([lon, lat]) => {
  const rho = Math.sqrt(c - 2 * n * Math.sin(lat * rad)) / n;
  const theta = n * (lon - 105) * rad;
  return [rho * Math.sin(theta), -Math.sqrt(c - 2 * n * Math.sin(36 * rad)) / n + rho * Math.cos(theta)];
};
/** Positions of names that would cross a border, or each other, at the centre of gravity. */
const names = {
  HE: [115.4, 38.1],
  GS: [103.9, 35.9],
  NM: [111.6, 41.2],
  BJ: [116.4, 40.3],
  TJ: [117.9, 38.8],
  SH: [122.6, 31.2],
  SN: [108.8, 34.6],
  HK: [115.1, 22.05],
  MO: [112.9, 21.5],
  CQ: [107.6, 29.7],
  GD: [113.2, 23.5],
  JS: [120.1, 33.3],
};
function makeChina() {
  const features = load('china').map(({ id, polygons }) => ({ code: `CN-${short[id.slice(0, 2)]}`, rings: merged(polygons).map((ring) => ring.map(albers)) }));
  const [x1, y1, x2, y2] = bounds(features.flatMap(({ rings }) => rings.flat()));
  const scale = 7800 / (x2 - x1);
  const place = ([x, y]) => [100 + (x - x1) * scale, 100 + (y - y1) * scale];
  const width = 8000;
  const regions = simplified(
    features.map(({ code, rings }) => ({ code, rings: rings.map((ring) => ring.map(place)) })),
    5,
  )
    .map(({ code, rings }) => ({
      code,
      at: (names[code.slice(3)] === undefined ? centre(rings) : place(albers(names[code.slice(3)]))).map(Math.round),
      // Islands of Taiwan (including Diaoyu and Chiwei), Hong Kong and Macao are retained, however small; others below half a pixel are removed.
      rings: rings.filter((ring) => size(ring) > 12 || /TW|HK|MO/.test(code)).map((ring) => grown(ring, code === 'CN-MO' ? 40 : 22)),
    }))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
  // The inset is in the corner below Taiwan.
  const insetHeight = 1150;
  const insetScale = insetHeight / frameHeight;
  const south = bounds(regions.find(({ code }) => code === 'CN-TW').rings.flat())[3];
  const height = Math.ceil(Math.max((y2 - y1) * scale + 200, south + insetHeight + 120));
  const [ix, iy] = [width - frameWidth * insetScale - 40, height - insetHeight - 40];
  const inFrame = ([x, y]) => [ix + x * insetScale, iy + y * insetScale];
  const dashed = dashes.map((line) => line.map(inFrame));
  const lines = [
    `    frame: { x: ${Math.round(ix)}, y: ${Math.round(iy)}, width: ${Math.round(frameWidth * insetScale)}, height: ${insetHeight} },`,
    `    land: ${quote(pathOf([coast.map(inFrame)]))},`,
    `    hainan: ${quote(pathOf([open(hainan).map(inFrame), ...islands.map((one) => dot(...inFrame(units(one)), 9))]))},`,
    `    dashes: ${quote(dashPath(dashed))},`,
  ];
  writeFileSync(
    join(out, 'china.ts'),
    `import { type Outline, readRegions } from './outline';\n\n${licence}\nexport const china: Outline = {\n  width: ${width},\n  height: ${height},\n  neutral: '',\n  dashes: ${quote(dashPath([eastern.map((one) => place(albers(one)))]))},\n  inset: {\n${lines.map((line) => line).join('\n')}\n  },\n  regions: readRegions(\`\n${regions.map(regionLine).join('\n')}\n\`),\n};\n`,
  );
}

// The world: the Natural Earth projection (Šavrič, Jenny, Patterson, Petrovič, Hurni 2011) around 150° E, cut in the Atlantic at 30° W, like maps printed in
// China.
const cut = -30;
const worldOf = ([lon, lat]) => {
  const phi = lat * rad;
  const [p2, p4, p6] = [phi ** 2, phi ** 4, phi ** 6];
  return [
    (lon - (cut + 180)) * rad * (0.8707 - 0.131979 * p2 - 0.013791 * p4 + p4 * p6 * (0.003971 - 0.001529 * p2)),
    -phi * (1.007226 + 0.015085 * p2 + p6 * (-0.044475 + 0.028874 * p2 - 0.005916 * p4)),
  ];
};
/** Returns the part of a ring on one side of a meridian (Sutherland and Hodgman). */
function half(ring, east) {
  const inside = ([lon]) => (east ? lon >= cut : lon <= cut);
  return ring.flatMap((point, at) => {
    const before = ring[(at + ring.length - 1) % ring.length];
    if (inside(point) === inside(before)) return inside(point) ? [point] : [];
    const crossing = [cut, before[1] + ((point[1] - before[1]) * (cut - before[0])) / (point[0] - before[0])];
    return inside(point) ? [crossing, point] : [crossing];
  });
}
const around = (rings) => {
  const [west, , east] = bounds(rings[0]);
  const shift = (ring) => ring.map(([lon, lat]) => [lon < cut ? lon + 360 : lon, lat]);
  if (west >= cut || east <= cut) return [rings.map(shift)];
  const right = half(open(rings[0]), true);
  const left = half(open(rings[0]), false).map(([lon, lat]) => [lon + 360, lat]);
  return [[right], [left]].filter(([ring]) => ring.length > 2);
};
/** Natural Earth's short names that differ from those of Intl. */
const odd = {
  'W. Sahara': 'EH',
  Aland: 'AX',
  'Fr. S. Antarctic Lands': 'TF',
  'Antigua and Barb.': 'AG',
  'Bosnia and Herz.': 'BA',
  'Central African Rep.': 'CF',
  "Côte d'Ivoire": 'CI',
  'Dem. Rep. Congo': 'CD',
  Congo: 'CG',
  'Cape Verde': 'CV',
  'Cayman Is.': 'KY',
  'N. Cyprus': 'CY',
  'Czech Rep.': 'CZ',
  'Dominican Rep.': 'DO',
  'Falkland Is.': 'FK',
  'Faeroe Is.': 'FO',
  'Eq. Guinea': 'GQ',
  'Heard I. and McDonald Is.': 'HM',
  'Br. Indian Ocean Ter.': 'IO',
  Korea: 'KR',
  'Lao PDR': 'LA',
  Macedonia: 'MK',
  Myanmar: 'MM',
  'N. Mariana Is.': 'MP',
  'Dem. Rep. Korea': 'KP',
  Palestine: 'PS',
  'Fr. Polynesia': 'PF',
  'S. Sudan': 'SS',
  'S. Geo. and S. Sandw. Is.': 'GS',
  'Saint Helena': 'SH',
  'Solomon Is.': 'SB',
  'St. Pierre and Miquelon': 'PM',
  'São Tomé and Principe': 'ST',
  Swaziland: 'SZ',
  'Turks and Caicos Is.': 'TC',
  'Trinidad and Tobago': 'TT',
  Turkey: 'TR',
  'St. Vin. and Gren.': 'VC',
  'U.S. Virgin Is.': 'VI',
  'Saint Lucia': 'LC',
};
const regionNames = new Intl.DisplayNames(['en'], { type: 'region' });
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const byName = new Map(
  letters
    .flatMap((a) => letters.map((b) => a + b))
    .filter(
      (code) =>
        ![
          'UK',
          'SU',
          'DD',
          'YD',
          'FX',
          'BU',
          'ZR',
          'TP',
          'YU',
          'CS',
          'NT',
          'VD',
          'RH',
          'DY',
          'HV',
          'NH',
          'AN',
          'CT',
          'JT',
          'MI',
          'NQ',
          'PU',
          'PZ',
          'WK',
          'PC',
          'FQ',
        ].includes(code),
    )
    .map((code) => [regionNames.of(code), code]),
);
/** Overseas parts that the source draws with their country and that have their own code in the standard. */
const overseas = [
  ['FR', 'GF', -55, -50, 0, 8],
  ['FR', 'RE', 55, 56, -22, -20],
  ['FR', 'YT', 44, 46, -14, -12],
  ['FR', 'MQ', -62, -60, 14, 15],
  ['FR', 'GP', -62, -60, 15.5, 17],
  ['NO', 'SJ', -10, 40, 70.5, 85],
  ['NL', 'BQ', -70, -60, 10, 20],
];
function makeWorld() {
  const byCode = new Map();
  const neutral = [];
  for (const { name, polygons } of load('world')) {
    // Kashmir: the source assigns it to no country, and so do we.
    const home = name === '' || name === undefined || name === 'Siachen Glacier' ? null : (odd[name] ?? byName.get(name));
    if (home === undefined) throw new Error(`No code for ${name}`);
    for (const rings of polygons) {
      const [x1, y1, x2, y2] = bounds(rings[0]);
      const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
      const part = overseas.find(([owner, , w, e, s, nn]) => owner === home && x > w && x < e && y > s && y < nn && !(owner === 'NO' && y < 73 && x > 0));
      const target = home === null ? neutral : (byCode.get(part?.[1] ?? home) ?? byCode.set(part?.[1] ?? home, []).get(part?.[1] ?? home));
      target.push(...around(rings));
    }
  }
  const projected = (polygons) => merged(polygons).map((ring) => ring.map(worldOf));
  const features = [...[...byCode].map(([code, polygons]) => ({ code, rings: projected(polygons) })), { code: '', rings: projected(neutral) }];
  const [x1, y1, x2, y2] = bounds(features.flatMap(({ rings }) => rings.flat()));
  const scale = 9960 / (x2 - x1);
  const place = ([x, y]) => [20 + (x - x1) * scale, 20 + (y - y1) * scale];
  const regions = simplified(
    features.map(({ code, rings }) => ({ code, rings: rings.map((ring) => ring.map(place)) })),
    4,
  ).map(({ code, rings }) => {
    const largest = Math.max(...rings.map(size));
    return { code, at: centre(rings), rings: rings.filter((ring) => size(ring) > 14 || size(ring) === largest).map((ring) => grown(ring, 26)) };
  });
  const onMap = (point) => place(worldOf(point));
  for (const region of regions) if (region.code === 'CN') region.rings.push(...[...islands, [123.47, 25.74]].map((one) => dot(...onMap(one), 5)));
  const lines = [...dashes.map((line) => line.map((point) => onMap(degrees(point)))), eastern.map(onMap)];
  const named = regions.filter(({ code }) => code !== '').toSorted((a, b) => (a.code < b.code ? -1 : 1));
  writeFileSync(
    join(out, 'world.ts'),
    `import { type Outline, readRegions } from './outline';\n\n${licence}\nexport const world: Outline = {\n  width: 10000,\n  height: ${Math.ceil((y2 - y1) * scale + 40)},\n  neutral: ${quote(pathOf(regions.find(({ code }) => code === '').rings))},\n  dashes: ${quote(dashPath(lines))},\n  regions: readRegions(\`\n${named.map(regionLine).join('\n')}\n\`),\n};\n`,
  );
}
makeChina();
makeWorld();
