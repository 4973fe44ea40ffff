import type { DimensionId, FilterOp } from '@contract/analytics/schemas';
import { useDeferredValue, useState } from 'react';
import { isAllowedDimension } from '@/lib/publicLink';
import { useValuesQuery } from './analyticsApi';
import { closedDimensions, type Filter, filterGroups } from './filters';
import type { Range } from './range';
import { useLabels } from './useLabels';

/** Dimensions whose names are translated in the browser, so that the search matches the names and not the codes. */
const named = new Set<DimensionId>([...closedDimensions, 'city', 'sourceName', 'os', 'osVersion', 'browser', 'browserVersion', 'isp']);
const most = 100;

/** The groups of dimensions that a reader may filter by; a public report has fewer. */
export const reachableGroups = () =>
  filterGroups.map((group) => ({ ...group, dimensions: group.dimensions.filter(isAllowedDimension) })).filter((group) => group.dimensions.length > 0);

/** The values that match `search`, of those found in the range. */
const useFoundValues = ({ siteId, by, range, search }: { siteId: string; by: DimensionId; range: Range; search: string }) => {
  const { nameOf } = useLabels();
  const { data: known = [], isFetching } = useValuesQuery({ siteId, by, q: named.has(by) ? '' : search, from: range.from, to: range.to });
  // Without a search only the most frequent values are loaded; the rest is found by its stored text.
  const { currentData: stored = [] } = useValuesQuery(
    { siteId, by, q: search, from: range.from, to: range.to },
    { skip: search === '' || !named.has(by) || closedDimensions.has(by) },
  );
  const matches = (key: string): boolean => !named.has(by) || stored.includes(key) || nameOf(by, key).toLowerCase().includes(search.toLowerCase());
  const found = [...new Set([...known, ...(search === '' ? [] : stored)])].filter(matches).slice(0, most);
  return { known, found, isFetching };
};

/** A filter while it is edited: its parts, the suggested values, and `chosen`, which includes a typed value that is not in the list yet. */
export const useFilterDraft = ({ siteId, range, filter }: { readonly siteId: string; readonly range: Range; readonly filter: Filter | null }) => {
  const { nameOf } = useLabels();
  const [by, setBy] = useState<DimensionId>(filter?.by ?? reachableGroups()[0]?.dimensions[0] ?? 'sourceType');
  const [op, setOp] = useState<FilterOp>(filter?.op ?? 'is');
  const [values, setValues] = useState<readonly string[]>(filter?.values ?? []);
  const [typed, setTyped] = useState('');
  const { known, found, isFetching } = useFoundValues({ siteId, by, range, search: useDeferredValue(typed.trim()) });
  const free = op === 'contains' || op === 'excludes';
  const closed = closedDimensions.has(by);
  /** A typed name is mapped to its value: 百度 is stored as Baidu. */
  const valueOf = (text: string): string => (free ? text : (known.find((key) => nameOf(by, key).toLowerCase() === text.toLowerCase()) ?? text));
  const withTyped = (): readonly string[] => (typed.trim() === '' ? values : [...new Set([...values, valueOf(typed.trim())])]);
  return {
    by,
    /** Another dimension starts anew: its conditions and values are different. */
    setBy: (next: DimensionId): void => {
      setBy(next);
      setOp('is');
      setValues([]);
      setTyped('');
    },
    op,
    setOp,
    typed,
    setTyped,
    values,
    chosen: closed ? values : withTyped(),
    /** Values of "contains" are parts of texts, for which there are no suggestions. */
    hasList: !free || values.length > 0,
    listed: [...values.filter((key) => !found.includes(key)), ...found],
    isFetching,
    toggle: (key: string): void => setValues(values.includes(key) ? values.filter((one) => one !== key) : [...values, key]),
    /** Turns the typed text into a value; false if there is none to turn. */
    addTyped: (): boolean => {
      if (typed.trim() === '' || closed) return false;
      setValues(withTyped());
      setTyped('');
      return true;
    },
  };
};

export type FilterDraft = ReturnType<typeof useFilterDraft>;
