import type { MeasureId } from '@contract/analytics';
import { useSyncExternalStore } from 'react';
import { columnsText, readColumns, watchColumns } from '@/ui/tableColumns';

/** The measures whose columns the table `remember` shows now, in its order: for a file that is the same. */
export const useShownMeasures = (remember: string, shown: readonly MeasureId[], more: readonly MeasureId[]): MeasureId[] => {
  useSyncExternalStore(watchColumns, () => columnsText(remember));
  const chosen = readColumns(remember);
  return chosen === null ? [...shown] : [...shown, ...more].filter((id) => chosen.includes(id));
};
