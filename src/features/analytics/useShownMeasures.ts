import type { MeasureId } from '@contract/analytics/schemas';
import { useSyncExternalStore } from 'react';
import { columnsText, readColumns, watchColumns } from '@/ui/tableColumns';

/** The measures whose columns are shown now, in the table's order: those of the address, those chosen here before, or the table's own. */
export const useShownMeasures = (
  remember: string,
  shown: readonly MeasureId[],
  more: readonly MeasureId[],
  inAddress: readonly string[] | null,
): MeasureId[] => {
  useSyncExternalStore(watchColumns, () => columnsText(remember));
  const all = [...shown, ...more];
  const chosen: readonly string[] = inAddress ?? readColumns(remember) ?? shown;
  const known = all.filter((id) => chosen.includes(id));
  return known.length === 0 ? [...shown] : known;
};
