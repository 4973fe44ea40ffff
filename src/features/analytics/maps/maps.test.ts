import fc from 'fast-check';
import { countryName, provinces } from '../../../../contract/places';
import { china } from './china';
import type { Outline } from './outline';
import { breaksOf, classColour, classOf } from './scale';
import { world } from './world';

type Point = readonly [number, number];

/** The rings of a path of relative whole numbers (`m`, `l`, `z`), each closed by its `z`. */
const ringsOf = (path: string): readonly (readonly Point[])[] => {
  let [x, y] = [0, 0];
  return path
    .split('z')
    .slice(0, -1)
    .map((text) => {
      expect(text).toMatch(/^m-?\d+[ -]\d+l[-\d ]+$/);
      const numbers = [...text.matchAll(/-?\d+/g)].map(Number);
      const ring: Point[] = [];
      const begin: [number, number] = [0, 0];
      for (let at = 0; at < numbers.length; at += 2) {
        x += numbers[at] as number;
        y += numbers[at + 1] as number;
        if (at === 0) begin.splice(0, 2, x, y);
        ring.push([x, y]);
      }
      [x, y] = begin;
      return ring;
    });
};
const pathIn = (map: Outline, code: string): string => {
  const found = map.regions.filter((one) => one.code === code);
  expect([code, found.length]).toEqual([code, 1]);
  return found[0]?.path ?? '';
};
const areaOf = (ring: readonly Point[]): number =>
  Math.abs(ring.reduce((sum, [x, y], at) => sum + x * (ring[(at + 1) % ring.length] as Point)[1] - (ring[(at + 1) % ring.length] as Point)[0] * y, 0)) / 2;
const boxOf = (points: readonly Point[]) => ({
  west: Math.min(...points.map(([x]) => x)),
  east: Math.max(...points.map(([x]) => x)),
  north: Math.min(...points.map(([, y]) => y)),
  south: Math.max(...points.map(([, y]) => y)),
});
const place = (map: Outline, code: string) => {
  const rings = ringsOf(pathIn(map, code));
  const largest = rings.toSorted((a, b) => areaOf(b) - areaOf(a))[0] ?? [];
  const box = boxOf(largest);
  return { ...boxOf(rings.flat()), x: (box.west + box.east) / 2, y: (box.north + box.south) / 2, area: rings.reduce((sum, ring) => sum + areaOf(ring), 0) };
};
const inside = ([px, py]: Point, rings: readonly (readonly Point[])[]): boolean => {
  let within = false;
  for (const ring of rings)
    for (let at = 0; at < ring.length; at += 1) {
      const [x1, y1] = ring[at] as Point;
      const [x2, y2] = ring[(at + 1) % ring.length] as Point;
      if (y1 > py !== y2 > py && px < ((x2 - x1) * (py - y1)) / (y2 - y1) + x1) within = !within;
    }
  return within;
};

describe.each([
  ['China', china],
  ['the world', world],
])('the outline of %s', (_name, map) => {
  test('has closed rings of at least three points inside the view box', () => {
    for (const { code, path } of map.regions)
      for (const ring of ringsOf(path)) {
        expect([code, ring.length >= 3]).toEqual([code, true]);
        const { west, east, north, south } = boxOf(ring);
        expect([code, west >= 0, east <= map.width, north >= 0, south <= map.height]).toEqual([code, true, true, true, true]);
      }
  });
  test('has every code once, in order, with its name', () => {
    const codes = map.regions.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)].toSorted());
    for (const { code, x, y } of map.regions) expect([code, x > 0 && x < map.width, y > 0 && y < map.height]).toEqual([code, true, true]);
  });
});

describe('China', () => {
  const at = (code: string) => place(china, `CN-${code}`);
  test('has exactly the 34 provinces of the reports', () => {
    expect(china.regions.map(({ code }) => code)).toEqual(provinces.map(({ code }) => code).toSorted());
  });
  test('puts neighbours in the right places', () => {
    const all = provinces.map(({ code }) => ({ code, ...place(china, code) }));
    expect(all.toSorted((a, b) => a.west - b.west)[0]?.code).toBe('CN-XJ');
    expect(all.toSorted((a, b) => b.east - a.east)[0]?.code).toBe('CN-HL');
    expect(all.toSorted((a, b) => a.north - b.north)[0]?.code).toBe('CN-HL');
    expect(all.toSorted((a, b) => b.south - a.south)[0]?.code).toBe('CN-HI');
    expect(
      all
        .toSorted((a, b) => b.area - a.area)
        .slice(0, 3)
        .map(({ code }) => code),
    ).toEqual(['CN-XJ', 'CN-XZ', 'CN-NM']);
    // a lies north of b, a lies west of b
    for (const [a, b] of [
      ['GD', 'HI'],
      ['HE', 'HA'],
      ['HA', 'HB'],
      ['HB', 'HN'],
      ['HN', 'GD'],
      ['SX', 'HA'],
      ['XJ', 'XZ'],
      ['SD', 'JS'],
      ['JS', 'ZJ'],
      ['ZJ', 'FJ'],
      ['GD', 'HK'],
    ] as const)
      expect([a, b, at(a).y < at(b).y]).toEqual([a, b, true]);
    for (const [a, b] of [
      ['XJ', 'GS'],
      ['XZ', 'SC'],
      ['SC', 'CQ'],
      ['CQ', 'HB'],
      ['GX', 'GD'],
      ['YN', 'GZ'],
      ['SN', 'SX'],
      ['SX', 'HE'],
      ['JX', 'FJ'],
      ['FJ', 'TW'],
      ['MO', 'HK'],
      ['LN', 'JL'],
      ['AH', 'JS'],
    ] as const)
      expect([a, b, at(a).x < at(b).x]).toEqual([a, b, true]);
    // Beijing is wholly surrounded by Hebei and Tianjin.
    const [beijing, hebei] = [at('BJ'), at('HE')];
    expect(beijing.west > hebei.west && beijing.east < hebei.east && beijing.north > hebei.north && beijing.south < hebei.south).toBe(true);
  });
  test('Diaoyu and Chiwei are visible north-east of Taiwan, drawn with it', () => {
    const rings = ringsOf(pathIn(china, 'CN-TW')).map((ring) => ({ area: areaOf(ring), ...boxOf(ring) }));
    const main = rings.toSorted((a, b) => b.area - a.area)[0];
    const islands = rings.filter((one) => one.west > (main?.east ?? 0) && one.south < (main?.north ?? 0) + 100);
    expect(islands.length).toBeGreaterThanOrEqual(2);
    for (const one of islands) expect(Math.max(one.east - one.west, one.south - one.north)).toBeGreaterThanOrEqual(18);
  });
  test('Hong Kong and Macao are visible', () => {
    for (const code of ['HK', 'MO']) expect(Math.max(at(code).east - at(code).west, at(code).south - at(code).north)).toBeGreaterThanOrEqual(30);
  });
  test('the South China Sea inset covers no province and shows ten dashes', () => {
    const { inset } = china;
    if (inset === undefined) throw new Error('no inset');
    const { frame } = inset;
    expect(frame.x >= 0 && frame.y >= 0 && frame.x + frame.width <= china.width && frame.y + frame.height <= china.height).toBe(true);
    for (const { code, path } of china.regions)
      for (const ring of ringsOf(path)) {
        const box = boxOf(ring);
        const apart = box.east < frame.x || box.west > frame.x + frame.width || box.south < frame.y || box.north > frame.y + frame.height;
        expect([code, apart]).toEqual([code, true]);
      }
    expect(inset.dashes.match(/M/g)).toHaveLength(9);
    const numbers = [...inset.dashes.matchAll(/(\d+) (\d+)/g)].map(([, x, y]): Point => [Number(x), Number(y)]);
    for (const [x, y] of numbers) expect(x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height).toBe(true);
    const islands = ringsOf(inset.hainan);
    expect(islands.length).toBeGreaterThanOrEqual(8);
    const tenth = /^M(\d+) (\d+)L(\d+) (\d+)$/.exec(china.dashes);
    expect(Math.min(Number(tenth?.[1]), Number(tenth?.[3]))).toBeGreaterThan(place(china, 'CN-TW').x);
  });
  test('Zengmu lies at the southern end of the inset', () => {
    const rings = ringsOf(china.inset?.hainan ?? '').map((ring) => boxOf(ring));
    const south = Math.max(...rings.map((one) => one.south));
    expect(south).toBeGreaterThan((china.inset?.frame.y ?? 0) + (china.inset?.frame.height ?? 0) * 0.8);
  });
});

describe('the world', () => {
  test('has known codes and includes Taiwan, Hong Kong and Macao in China', () => {
    for (const { code } of world.regions) expect([code, countryName(code, 'en') === code]).toEqual([code, false]);
    const codes = world.regions.map(({ code }) => code);
    for (const code of ['TW', 'HK', 'MO']) expect(codes).not.toContain(code);
    for (const code of ['CN', 'US', 'JP', 'DE', 'FR', 'GB', 'IN', 'BR', 'ZA', 'AU', 'RU', 'SG', 'GF', 'EH']) expect(codes).toContain(code);
    // Taiwan: one of China's rings lies east of Fujian's coast, about as large as Hainan.
    const rings = ringsOf(pathIn(world, 'CN')).toSorted((a, b) => areaOf(b) - areaOf(a));
    const [main, ...islands] = rings.map((ring) => ({ area: areaOf(ring), ...boxOf(ring) }));
    const [one, two] = islands;
    if (main === undefined || one === undefined || two === undefined) throw new Error('islands are missing');
    const [taiwan, hainan] = one.east > two.east ? [one, two] : [two, one];
    expect(taiwan.west).toBeGreaterThan(hainan.east);
    expect(taiwan.north).toBeLessThan(hainan.north);
    expect(taiwan.area / hainan.area).toBeGreaterThan(0.6);
    expect(taiwan.area / hainan.area).toBeLessThan(1.8);
  });
  test('has the dashed line, ten dashes between Vietnam and Taiwan', () => {
    expect(world.dashes.match(/M/g)).toHaveLength(10);
    const points = [...world.dashes.matchAll(/(\d+) (\d+)/g)].map(([, x, y]): Point => [Number(x), Number(y)]);
    const [vietnam, philippines] = [place(world, 'VN'), place(world, 'PH')];
    for (const [x, y] of points) {
      expect(x).toBeGreaterThan(vietnam.west);
      expect(x).toBeLessThan(philippines.east);
      expect(y).toBeGreaterThan(place(world, 'CN').north);
      expect(y).toBeLessThan(place(world, 'MY').south);
    }
  });
  test('disputed borders follow Chinese maps, with Kashmir unassigned', () => {
    // Points in the drawing, found from places around them on the same map.
    const [cn, india, bhutan, nepal] = [ringsOf(pathIn(world, 'CN')), ringsOf(pathIn(world, 'IN')), place(world, 'BT'), place(world, 'NP')];
    // 94° E, 28.2° N: Bhutan reaches from 88.7° to 92.1° E and to 28.3° N.
    const southernTibet: Point = [bhutan.east + (bhutan.east - bhutan.west) * 0.56, bhutan.north + (bhutan.south - bhutan.north) * 0.08];
    expect(inside(southernTibet, cn)).toBe(true);
    expect(inside(southernTibet, india)).toBe(false);
    const neutral = ringsOf(world.neutral);
    const kashmir = boxOf(neutral.flat());
    expect(kashmir.east).toBeLessThan(nepal.west + (nepal.east - nepal.west) * 0.2);
    const aksai: Point = [kashmir.east + 20, (kashmir.north + kashmir.south) / 2];
    expect(inside(aksai, cn)).toBe(true);
    for (const ring of neutral) {
      const box = boxOf(ring);
      const middle: Point = [(box.west + box.east) / 2, (box.north + box.south) / 2];
      expect(world.regions.filter(({ path }) => inside(middle, ringsOf(path))).map(({ code }) => code)).toEqual([]);
    }
  });
  test('the world map is cut in the Atlantic, with Russia whole', () => {
    expect(place(world, 'US').west).toBeGreaterThan(place(world, 'JP').east);
    expect(place(world, 'BR').west).toBeGreaterThan(place(world, 'NZ').east);
    const russia = ringsOf(pathIn(world, 'RU')).toSorted((a, b) => areaOf(b) - areaOf(a))[0] ?? [];
    expect(boxOf(russia).east).toBeGreaterThan(place(world, 'NZ').west);
  });
  test('Cyprus is whole', () => {
    expect(world.regions.filter(({ code }) => code === 'CY')).toHaveLength(1);
    expect(ringsOf(pathIn(world, 'CY'))).toHaveLength(1);
  });
});

describe('classes', () => {
  test('bounds are round numbers and the highest class is never empty', () => {
    expect(breaksOf([3, 40, 250, 1234])).toEqual([5, 20, 200, 1000]);
    expect(breaksOf([1, 2])).toEqual([2]);
    expect(breaksOf([7])).toEqual([]);
    expect(breaksOf([])).toEqual([]);
  });
  test('classes are monotonic and both ends are used', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 60 }), (values) => {
        const breaks = breaksOf(values);
        expect(breaks.length).toBeLessThanOrEqual(4);
        expect([...new Set(breaks)].toSorted((a, b) => a - b)).toEqual([...breaks]);
        const sorted = values.filter((value) => value > 0).toSorted((a, b) => a - b);
        const classes = sorted.map((value) => classOf(value, breaks));
        expect(classes).toEqual([...classes].toSorted((a, b) => (a ?? 0) - (b ?? 0)));
        if (sorted.length > 0) expect([classes[0], classes.at(-1)]).toEqual([0, breaks.length]);
      }),
    );
  });
  test('a missing value has no class and the background colour', () => {
    expect(classOf(0, [5])).toBeNull();
    expect(classOf(undefined, [5])).toBeNull();
    expect(new Set([null, 0, 1, 2, 3, 4].map((level) => classColour(level, [1, 2, 3, 4]))).size).toBe(6);
  });
});
