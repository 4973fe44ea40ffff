import { useTranslation } from 'react-i18next';
import type { GridMenuItem, MenuPlace } from '../grid/types';
import type { GridViewProps } from './GridView';
import type { RecordActionName } from './useRecordActions';

/** The maximum number of record ids loaded per selected range. */
const maxIds = 1000;

/** Entries for the selected records in the menu of a cell. */
export function useRowMenu({ table, inBin, pages, acts }: Pick<GridViewProps, 'table' | 'inBin' | 'pages' | 'acts'>, onNotice: (text: string) => void) {
  const { t } = useTranslation('tables');
  const may = (action: string): boolean => table.may.includes(action);

  const idsOf = async ({ rows }: MenuPlace): Promise<string[]> => {
    const lists = await Promise.all(rows.map(({ from, to }) => pages.source.load(from, Math.min(to, from + maxIds), new AbortController().signal)));
    return lists.flat().map(({ id }) => id);
  };
  return (place: MenuPlace): readonly GridMenuItem[] => {
    const count = place.rows.reduce((sum, { from, to }) => sum + to - from, 0);
    const run = async (action: RecordActionName): Promise<void> => {
      try {
        if (await acts(action, { ids: await idsOf(place) }, count)) pages.refresh();
      } catch {
        onNotice(t('failed'));
      }
    };
    const item = (action: RecordActionName, danger = false, apart = false): GridMenuItem => ({
      id: action,
      name: t(`record.${action}`),
      danger,
      apart,
      onChoose: () => void run(action),
    });
    if (inBin) return may('delete') ? [item('restore'), item('purge', true)] : [];
    return [
      ...(may('create') ? [item('duplicate')] : []),
      ...(table.drafts && may('publish') ? [item('publish', false, true), item('unpublish')] : []),
      ...(may('delete') ? [item('bin', true, true)] : []),
    ];
  };
}
