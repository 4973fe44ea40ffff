import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldCode } from '@contract/errors';
import type { Conflict } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { isFailure, isPassing } from '@/store/failure';
import { useFailureWords } from '@/ui/ErrorPanel';
import { encodeFault } from '@/ui/form/fault';
import { useFaultWords } from '@/ui/form/useFaultWords';
import type { Refusal } from './cellWrites';

type Fault = { readonly code: FieldCode; readonly min?: number; readonly max?: number; readonly message?: string };

/** `changes.3.values.f_abc`, `records.3.f_abc`: the place of the change and the name of the field. */
export function placeOf(path: string): { readonly at: number | null; readonly name: string } {
  const parts = path.split('.');
  const at = parts.find((part) => /^\d+$/.test(part));
  return { at: at === undefined ? null : Number(at), name: (parts.findLast((part) => !/^\d+$/.test(part)) ?? '').replace(/@.*$/, '') };
}

const isConflict = (value: unknown): value is Conflict =>
  typeof value === 'object' && value !== null && 'record' in value && 'fields' in value && typeof value.fields === 'object';
/** What a refusal brings along: one conflict, or several of one call. */
export const conflictsIn = (current: unknown): readonly Conflict[] => {
  if (Array.isArray(current)) return (current as unknown[]).filter(isConflict);
  if (isConflict(current)) return [current];
  return typeof current === 'object' && current !== null && 'conflicts' in current ? conflictsIn(current.conflicts) : [];
};

/** A failed write in words, cell by cell. */
export function useWriteFailure(table: ContentTable): (error: unknown) => Refusal {
  const { t } = useTranslation('tables');
  const say = useFaultWords();
  const words = useFailureWords();
  return useCallback(
    (error) => {
      if (!isFailure(error)) return { cells: [], conflicts: [], words: t('edits.unsaved'), passing: false };
      const cells = Object.entries((error.fields ?? {}) as Record<string, Fault>).flatMap(([path, fault]) => {
        const { at, name } = placeOf(path);
        const field = table.fields.find(({ id, key, aliases }) => id === name || key === name || aliases.includes(name));
        if (!field) return [];
        const own = fault.code === 'pattern' ? field.options.patternMessage : undefined;
        return [{ at, column: field.id, fault: fault.message ?? own ?? say(encodeFault(fault)) ?? t('edits.unsaved') }];
      });
      return { cells, conflicts: conflictsIn(error.current), words: words(error), passing: isPassing(error) || error.kind === 'timeout' };
    },
    [table, t, say, words],
  );
}
