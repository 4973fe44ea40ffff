import { dimensions, populations } from '../../contract/analytics/schemas';
import type { DimensionId, FilterOp, Population } from '../../contract/analytics/schemas';
import { randomOf } from './reportFixture';
import { inPopulation, viewLevel, viewValue, visitValue } from './values';
import type { OracleFilter, Visit } from './values';

/** Every kind of filter on every dimension, with values from the fixture, and combinations. */

/** Dimensions with one value per visit or page view. */
export const simpleDimensions = dimensions.filter((id) => id !== 'event' && id !== 'goal');
export const filterKinds = ['is', 'not', 'contains', 'excludes', 'is one of', 'is none of', 'contains one of', 'unknown', 'known', 'something else'] as const;
export type FilterKind = (typeof filterKinds)[number];

const known = new WeakMap<readonly Visit[], Map<string, readonly string[]>>();
/** Values of a dimension in the fixture, in order of first occurrence; '' last. Cached, as each is needed for many filters. */
export function valuesIn(visits: readonly Visit[], dimension: DimensionId, zone: string): readonly string[] {
  const own = known.get(visits) ?? new Map<string, readonly string[]>();
  known.set(visits, own);
  const found = own.get(`${dimension} ${zone}`) ?? findValues(visits, dimension, zone);
  own.set(`${dimension} ${zone}`, found);
  return found;
}
function findValues(visits: readonly Visit[], dimension: DimensionId, zone: string): string[] {
  const found = new Set<string>();
  for (const visit of visits) {
    if (!inPopulation(visit, 'all')) continue;
    if (viewLevel.includes(dimension)) for (const view of visit.views) found.add(viewValue(view, dimension));
    else found.add(visitValue(visit, dimension, zone));
  }
  return [...found].sort((a, b) => Number(a === '') - Number(b === ''));
}

/** A non-empty part of a value, in another letter case. */
function partOf(value: string, random: () => number): string {
  const start = Math.floor(random() * Math.max(1, value.length - 2));
  // A `%` without two digits would be taken for a literal one.
  const part = value.slice(start, start + 1 + Math.floor(random() * 4)).replace(/%[0-9A-F]?$/, '') || 'x';
  return random() < 0.5 ? part.toUpperCase() : part.toLowerCase();
}

export function makeFilter(dimension: DimensionId, kind: FilterKind, values: readonly string[], random: () => number): OracleFilter {
  const named = values.filter((value) => value !== '');
  const pick = (): string => named[Math.floor(random() * Math.min(named.length, 12))] ?? '';
  const filter = (op: FilterOp, list: readonly string[]): OracleFilter => ({ dimension, op, values: [...new Set(list)] });
  switch (kind) {
    case 'is':
    case 'not':
      return filter(kind, [pick()]);
    case 'contains':
    case 'excludes':
      return filter(kind, [partOf(pick(), random)]);
    case 'is one of':
      return filter('is', [pick(), pick(), pick()]);
    case 'is none of':
      return filter('not', [pick(), pick()]);
    case 'contains one of':
      return filter('contains', [partOf(pick(), random), partOf(pick(), random)]);
    case 'unknown':
      return filter('is', ['']);
    case 'known':
      return filter('not', ['']);
    case 'something else':
      return filter('contains', ["nobody's"]);
  }
}

export type Combination = { by: DimensionId; kind: FilterKind; on: DimensionId; who: Population; zone: string };

/**
 * Combinations that cover at least once every pair of a screen (`by`) and a kind of filter, of a filtered dimension and a kind, of a screen and a population,
 * and of a kind and a population, in a seeded random order.
 */
export function pairwise(seed: number, zones: readonly string[]): Combination[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const open = new Set<string>();
  const pairsOf = (c: Combination): string[] => [`by ${c.by} ${c.kind}`, `on ${c.on} ${c.kind}`, `who ${c.by} ${c.who}`, `kind ${c.kind} ${c.who}`];
  for (const kind of filterKinds) {
    for (const dimension of simpleDimensions) open.add(`by ${dimension} ${kind}`).add(`on ${dimension} ${kind}`);
    for (const who of populations) open.add(`kind ${kind} ${who}`);
  }
  for (const by of simpleDimensions) for (const who of populations) open.add(`who ${by} ${who}`);

  const found: Combination[] = [];
  for (const by of simpleDimensions) {
    for (const kind of filterKinds) {
      if (!open.has(`by ${by} ${kind}`)) continue;
      // Of several random candidates, the one that covers the most open pairs.
      const tries = Array.from({ length: 30 }, (): Combination => ({ by, kind, on: pick(simpleDimensions), who: pick(populations), zone: pick(zones) }));
      const worth = (c: Combination): number => pairsOf(c).filter((pair) => open.has(pair)).length;
      const best = tries.reduce((a, b) => (worth(b) > worth(a) ? b : a));
      for (const pair of pairsOf(best)) open.delete(pair);
      found.push(best);
    }
  }
  for (const left of open) {
    const [what, first, ...rest] = left.split(' ');
    const second = rest.join(' ');
    const base: Combination = { by: pick(simpleDimensions), kind: pick(filterKinds), on: pick(simpleDimensions), who: pick(populations), zone: pick(zones) };
    if (what === 'on') found.push({ ...base, on: first as DimensionId, kind: second as FilterKind });
    else if (what === 'who') found.push({ ...base, by: first as DimensionId, who: second as Population });
    else found.push({ ...base, kind: [first, ...rest.slice(0, -1)].join(' ') as FilterKind, who: rest.at(-1) as Population });
  }
  return found;
}

/** A few filters at once, for property-based tests. */
export function someFilters(random: () => number, values: (dimension: DimensionId) => readonly string[]): OracleFilter[] {
  const count = Math.floor(random() * 4);
  return Array.from({ length: count }, () => {
    const dimension = simpleDimensions[Math.floor(random() * simpleDimensions.length)] ?? 'path';
    const gentle = filterKinds.filter((kind) => kind !== 'something else' && (kind !== 'is' || random() < 0.4));
    return makeFilter(dimension, gentle[Math.floor(random() * gentle.length)] ?? 'not', values(dimension), random);
  });
}
