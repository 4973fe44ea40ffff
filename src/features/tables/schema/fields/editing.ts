import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, FieldOptions, TableField } from '@contract/tables/schemas';
import type { FieldFailure } from '@/lib/failure';
import { encodeFieldError } from '@/ui/form/fieldError';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import type { FieldDraft } from './fieldDraft';

/** What each part of the field editor receives. */
export type Editing = {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  /** null: a new field. */ readonly field: TableField | null;
  readonly draft: FieldDraft;
  readonly mayDesign: boolean;
  /** Whether the draft is the target of a conversion of an existing field. */ readonly converting?: boolean;
  readonly set: (change: Partial<FieldDraft>) => void;
  readonly setOption: (change: Partial<FieldOptions>) => void;
  /** The server has removed a saved choice: this does not count as an unsaved change. */ readonly choiceGone?: (id: string) => void;
  /** The message of the server's error at this path of the definition. */
  readonly errorAt: (path: string) => string | undefined;
};
export type FieldErrors = Readonly<Record<string, FieldFailure>>;

/** Returns the message of the error at a path or anywhere below it. */
export function useErrorAt(fieldErrors: FieldErrors): (path: string) => string | undefined {
  const say = useFieldErrorMessage();
  const { t } = useTranslation('tableDesign');
  return (path) => {
    const found = Object.entries(fieldErrors).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1];
    return found && say(encodeFieldError(found), path === 'key' ? { pattern: t('edit.keyFault') } : {});
  };
}
