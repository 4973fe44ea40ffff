import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, FieldOptions, TableField } from '@contract/tables/schemas';
import type { FieldFailure } from '@/store/failure';
import { encodeFault } from '@/ui/form/fault';
import { useFaultWords } from '@/ui/form/useFaultWords';
import type { FieldDraft } from './fieldDraft';

/** What every part of the editor of a field works with. */
export type Editing = {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  /** null: a new one. */ readonly field: TableField | null;
  readonly draft: FieldDraft;
  readonly mayDesign: boolean;
  /** What is edited is what a field that there is becomes. */ readonly converting?: boolean;
  readonly set: (change: Partial<FieldDraft>) => void;
  readonly setOption: (change: Partial<FieldOptions>) => void;
  /** A saved choice is gone on the server: it is no change of who edits. */ readonly choiceGone?: (id: string) => void;
  /** Words for what the server refused at this path of the definition. */
  readonly fault: (path: string) => string | undefined;
};
export type Faults = Readonly<Record<string, FieldFailure>>;

/** The fault at a path or at anything below it, in words. */
export function useFaults(faults: Faults): (path: string) => string | undefined {
  const say = useFaultWords();
  const { t } = useTranslation('tableDesign');
  return (path) => {
    const found = Object.entries(faults).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1];
    return found && say(encodeFault(found), path === 'key' ? { pattern: t('edit.keyFault') } : {});
  };
}
