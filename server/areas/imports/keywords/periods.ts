import { keywordEngines } from '../../../../contract/imports/keywords';
import type { KeywordEngine, KeywordPeriod } from '../../../../contract/imports/keywords';
import { addDays, dayCount } from '../../../zone';
import type { Day } from '../../../zone';

type Days = { readonly from: Day; readonly to: Day };
/** The content of one import: its days, or the totals of a period. */
export type KeywordPart = KeywordPeriod & { readonly number: number };

const meet = (a: Days, b: Days): boolean => a.from <= b.to && b.from <= a.to;

/** The given days without others. */
const without = (days: Days, { from, to }: Days): Days[] =>
  [
    { from: days.from, to: addDays(from, -1) < days.to ? addDays(from, -1) : days.to },
    { from: addDays(to, 1) > days.from ? addDays(to, 1) : days.from, to: days.to },
  ].filter((remaining) => remaining.from <= remaining.to);

/**
 * Decides which import supplies each day of an engine: the latest one wins. `imports` is sorted from newest to oldest. Totals of a period cannot be split,
 * so they count whole, or not at all if a newer import covers one of their days.
 */
export function effectiveParts(imports: readonly KeywordPart[]): KeywordPart[] {
  const covered = new Map<KeywordEngine, Days[]>();
  return imports.flatMap((one) => {
    const before = covered.get(one.engine) ?? [];
    const remaining = one.dated
      ? before.reduce<Days[]>((rest, other) => rest.flatMap((days) => without(days, other)), [one])
      : before.some((other) => meet(other, one))
        ? []
        : [one];
    covered.set(one.engine, [...before, ...remaining.map(({ from, to }) => ({ from, to }))]);
    return remaining.map(({ from, to }) => ({ ...one, from, to }));
  });
}

const daysOf = (parts: readonly Days[]): number => parts.reduce((sum, { from, to }) => sum + dayCount(from, to), 0);

/** Whether later imports replace the days of an import. */
export function replacedBy(parts: readonly KeywordPart[], one: KeywordPart): 'no' | 'partly' | 'wholly' {
  const remaining = daysOf(parts.filter(({ number }) => number === one.number));
  return remaining === 0 ? 'wholly' : remaining < dayCount(one.from, one.to) ? 'partly' : 'no';
}

/** Imports of which a new one would replace days. */
export function overlapsOf<P extends KeywordPart>(imports: readonly P[], added: KeywordPart): { readonly one: P; readonly wholly: boolean }[] {
  const [before, after] = [effectiveParts(imports), effectiveParts([added, ...imports])];
  const remaining = (parts: readonly KeywordPart[], { number }: P): number => daysOf(parts.filter((part) => part.number === number));
  return imports.flatMap((one) => (remaining(after, one) < remaining(before, one) ? [{ one, wholly: remaining(after, one) === 0 }] : []));
}

/** Parts limited to a range; `partial`: totals of a period that extends beyond it. */
export function within(parts: readonly KeywordPart[], range: Days): { readonly inside: KeywordPart[]; readonly partial: KeywordPart[] } {
  const touching = parts.filter((part) => meet(part, range));
  const fits = (part: Days): boolean => part.from >= range.from && part.to <= range.to;
  return {
    inside: touching
      .filter((part) => part.dated || fits(part))
      .map((part) => ({ ...part, from: part.from > range.from ? part.from : range.from, to: part.to < range.to ? part.to : range.to })),
    partial: touching.filter((part) => !part.dated && !fits(part)),
  };
}

/** First and last day of each engine. */
export function spanOf(parts: readonly KeywordPart[]): { readonly engine: KeywordEngine; readonly from: Day; readonly to: Day; readonly days: number }[] {
  return keywordEngines.flatMap((engine) => {
    const some = parts.filter((part) => part.engine === engine);
    const [from, to] = [
      some.map((part) => part.from).toSorted()[0],
      some
        .map((part) => part.to)
        .toSorted()
        .at(-1),
    ];
    return from === undefined || to === undefined ? [] : [{ engine, from, to, days: daysOf(some) }];
  });
}
