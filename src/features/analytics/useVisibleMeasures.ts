import type { MeasureId } from '@contract/analytics/schemas';
import { useSyncExternalStore } from 'react';
import { storedColumnsText, readColumns, watchColumns } from '@/ui/tableColumns';

/** The measures whose columns are shown, in the table's order: from the address, from storage, or the table's default. */
export const useVisibleMeasures = (
  remember: string,
  measures: readonly MeasureId[],
  more: readonly MeasureId[],
  inAddress: readonly string[] | null,
): MeasureId[] => {
  useSyncExternalStore(watchColumns, () => storedColumnsText(remember));
  const all = [...measures, ...more];
  const chosen: readonly string[] = inAddress ?? readColumns(remember) ?? measures;
  const known = all.filter((id) => chosen.includes(id));
  return known.length === 0 ? [...measures] : known;
};
