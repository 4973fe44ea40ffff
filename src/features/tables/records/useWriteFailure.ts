import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldCode } from '@contract/errors';
import type { Conflict } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { isFailure, isPassing } from '@/lib/failure';
import { useFailureMessage } from '@/ui/ErrorPanel';
import { encodeFieldError } from '@/ui/form/fieldError';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import type { Refusal } from './cellWrites';

type FieldError = { readonly code: FieldCode; readonly min?: number; readonly max?: number; readonly message?: string };

/** Parses `changes.3.values.f_abc` or `records.3.f_abc`: the index of the change and the key of the field. */
export function placeOf(path: string): { readonly at: number | null; readonly name: string } {
  const parts = path.split('.');
  const at = parts.find((part) => /^\d+$/.test(part));
  return { at: at === undefined ? null : Number(at), name: (parts.findLast((part) => !/^\d+$/.test(part)) ?? '').replace(/@.*$/, '') };
}

const isConflict = (value: unknown): value is Conflict =>
  typeof value === 'object' && value !== null && 'record' in value && 'fields' in value && typeof value.fields === 'object';
/** The conflicts of a refusal: a single one, or those of several changes. */
export const conflictsIn = (current: unknown): readonly Conflict[] => {
  if (Array.isArray(current)) return (current as unknown[]).filter(isConflict);
  if (isConflict(current)) return [current];
  return typeof current === 'object' && current !== null && 'conflicts' in current ? conflictsIn(current.conflicts) : [];
};

/** Converts a failed write to messages by cell. */
export function useWriteFailure(table: ContentTable): (error: unknown) => Refusal {
  const { t } = useTranslation('tables');
  const say = useFieldErrorMessage();
  const messageOf = useFailureMessage();
  return useCallback(
    (error) => {
      if (!isFailure(error)) return { cells: [], conflicts: [], message: t('edits.unsaved'), passing: false };
      const cells = Object.entries((error.fields ?? {}) as Record<string, FieldError>).flatMap(([path, fieldError]) => {
        const { at, name } = placeOf(path);
        const field = table.fields.find(({ id, key, aliases }) => id === name || key === name || aliases.includes(name));
        if (!field) return [];
        const own = fieldError.code === 'pattern' ? field.options.patternMessage : undefined;
        return [{ at, column: field.id, message: fieldError.message ?? own ?? say(encodeFieldError(fieldError)) ?? t('edits.unsaved') }];
      });
      return { cells, conflicts: conflictsIn(error.current), message: messageOf(error), passing: isPassing(error) || error.kind === 'timeout' };
    },
    [table, t, say, messageOf],
  );
}
