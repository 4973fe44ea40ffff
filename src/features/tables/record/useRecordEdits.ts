import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldCode } from '@contract/errors';
import type { Conflict, ContentRecord, RecordLabels } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { encodeFault } from '@/ui/form/fault';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { conflictsIn } from '../records/useWriteFailure';
import { tablesApi } from '../tablesApi';

export type LabelledRecord = ContentRecord & { readonly labels: RecordLabels };
/** `value` is the edited value; `base` was the server's value at `revision` when editing began. */
type Edit = { readonly value: unknown; readonly base: unknown; readonly revision: number };
type Edits = Readonly<Record<string, Edit>>;
type ErrorMessages = Readonly<Record<string, string>>;
export type RecordConflict = { readonly locale: string; readonly revision: number; readonly by: string | null; readonly fields: Conflict['fields'] };

/** Key of a value in a language: `f_abc`, in a further language `f_abc@en`. */
export const keyOf = (field: string, locale: string): string => (locale === '' ? field : `${field}@${locale}`);
const partsOf = (key: string): readonly [string, string] => {
  const [field = '', locale = ''] = key.split('@');
  return [field, locale];
};
export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const without = <T>(all: Readonly<Record<string, T>>, gone: (key: string) => boolean): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(all).filter(([key]) => !gone(key)));

/**
 * Unsaved edits of a record, kept apart from the server's values, so that changes of others arrive without losing input. Saved with one write per language;
 * fields that others have changed too become a conflict.
 */
export function useRecordEdits({
  siteId,
  table,
  record,
  serverValue,
  revisionOf,
  onBatches,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly record: LabelledRecord;
  /** The current server value; by `keyOf`. */ readonly serverValue: (key: string) => unknown;
  /** Revision of `serverValue`; undefined where the value is not loaded, e.g. of a language that is not shown. */
  readonly revisionOf: (key: string) => number | undefined;
  readonly onBatches: (batches: readonly string[]) => void;
}) {
  const { t } = useTranslation('tableRecord');
  const dispatch = useAppDispatch();
  const say = useFieldErrorMessage();
  const { restored, keep, drop } = useDraft<{ edits: Edits }>(`record:${record.id}`);
  const [edits, setEdits] = useState<Edits>(restored?.edits ?? {});
  /** Invalid input, which exists only in its editor. */
  const [typing, setTyping] = useState<ErrorMessages>({});
  const [refused, setRefused] = useState<ErrorMessages>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [conflict, setConflict] = useState<RecordConflict | null>(null);
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const [reveal, setReveal] = useState(0);
  const secret = (key: string): boolean => table.fields.find(({ id }) => id === key)?.type === 'password';

  const put = (next: Edits): void => {
    setEdits(next);
    const storableEdits = without(next, secret);
    if (Object.keys(storableEdits).length === 0) drop();
    else keep({ edits: storableEdits });
  };
  const change = (key: string, value: unknown, error?: string): void => {
    setRefused((before) => without(before, (one) => one === key));
    setTyping((before) => (error === undefined ? without(before, (one) => one === key) : { ...before, [key]: error }));
    if (error !== undefined) return;
    const known = edits[key];
    const base = known ? known.base : serverValue(key);
    if (sameJson(value, serverValue(key))) put(without(edits, (one) => one === key));
    else put({ ...edits, [key]: { value, base, revision: known?.revision ?? revisionOf(key) ?? record.revision } });
  };
  const discard = (): void => {
    put({});
    setTyping({});
    setRefused({});
    setFailure(null);
    setConflict(null);
    setRound(round + 1);
  };

  /** The errors of a refused write by field, including errors of a part of a value (an item of a list). */
  const errorMessagesOf = (error: ApiFailure, locale: string): ErrorMessages =>
    Object.fromEntries(
      Object.entries((error.fields ?? {}) as Record<string, { code: FieldCode; message?: string }>).flatMap(([path, fieldError]) => {
        const field = path
          .split('.')
          .map((part) => table.fields.find(({ id, key }) => part.replace(/@.*$/, '') === id || part === key))
          .find((one) => one !== undefined);
        if (!field) return [];
        const own = fieldError.code === 'pattern' ? field.options.patternMessage : undefined;
        const message = fieldError.message ?? own ?? say(encodeFault(fieldError)) ?? t('saveFailed');
        return [[keyOf(field.id, field.localized ? locale : ''), message] as const];
      }),
    );
  /** Shows errors at their fields; false: none of them belongs to a field. */
  const refuse = (error: unknown, locale = ''): boolean => {
    const refusedErrors = isFailure(error) ? errorMessagesOf(error, locale) : {};
    setRefused(refusedErrors);
    if (Object.keys(refusedErrors).length > 0) setReveal((before) => before + 1);
    return Object.keys(refusedErrors).length > 0;
  };

  /** Resolves with whether everything was saved. */
  const save = async (): Promise<boolean> => {
    if (Object.keys(typing).length > 0) setReveal(reveal + 1);
    if (busy || Object.keys(typing).length > 0) return false;
    const keys = Object.keys(edits);
    if (keys.length === 0) return true;
    setBusy(true);
    setFailure(null);
    setRefused({});
    setConflict(null);
    let left = edits;
    let done = true;
    for (const locale of [...new Set(keys.map((key) => partsOf(key)[1]))].toSorted()) {
      const own = keys.filter((key) => partsOf(key)[1] === locale);
      // A field that nobody else has changed is sent with the current revision: only real conflicts remain.
      const isUntouched = (key: string): boolean => sameJson(edits[key]?.base, serverValue(key));
      const revision = Math.min(...own.map((key) => (isUntouched(key) ? revisionOf(key) : undefined) ?? edits[key]?.revision ?? 1));
      const values = Object.fromEntries(own.map((key) => [partsOf(key)[0], edits[key]?.value ?? null]));
      const body = { changes: [{ id: record.id, revision, values }], ...(locale === '' ? {} : { locale }) };
      const { data, error } = await dispatch(tablesApi.endpoints.changeRecords.initiate({ siteId, table: table.id, body }));
      const [clash] = isFailure(error) ? conflictsIn(error.current) : [];
      if (data || clash) {
        // The saved values, or those of others, must be loaded before the edits are dropped.
        const again = { subscribe: false, forceRefetch: true };
        await dispatch(tablesApi.endpoints.record.initiate({ siteId, table: table.id, id: record.id, ...(locale === '' ? {} : { locale }) }, again));
      }
      if (data) {
        if (data.batchId !== null) onBatches([data.batchId]);
        left = without(left, (key) => own.includes(key));
        continue;
      }
      done = false;
      if (clash) setConflict({ locale, revision: clash.revision, by: clash.by, fields: clash.fields });
      else if (!refuse(error, locale)) setFailure(isFailure(error) ? error : null);
      break;
    }
    // Input typed during the save is still unsaved.
    setEdits((now) => {
      const next = without(now, (key) => !(key in left) && sameJson(now[key]?.value, edits[key]?.value));
      const storableEdits = without(next, secret);
      if (Object.keys(storableEdits).length === 0) drop();
      else keep({ edits: storableEdits });
      return next;
    });
    setBusy(false);
    if (done) dispatch(noticeShown({ tone: 'good', message: { key: 'tableRecord:saved' }, for: 2000 }));
    return done;
  };

  /** Resolves the conflict of one field. */
  const decide = (field: string, mine: boolean): void => {
    if (!conflict) return;
    const key = keyOf(field, conflict.locale);
    const sides = conflict.fields[field];
    const known = edits[key];
    if (mine && known) put({ ...edits, [key]: { ...known, base: sides?.theirs, revision: conflict.revision } });
    else put(without(edits, (one) => one === key));
    const fields = without(conflict.fields, (one) => one === field);
    setConflict(Object.keys(fields).length === 0 ? null : { ...conflict, fields });
  };

  const errors: ErrorMessages = { ...refused, ...typing };
  return {
    valueOf: (key: string): unknown => (key in edits ? edits[key]?.value : serverValue(key)),
    isEdited: (key: string): boolean => key in edits,
    /** Another user's value of a field that is being edited; undefined: none. */
    theirsOf: (key: string): { readonly value: unknown } | undefined => {
      const edit = edits[key];
      const now = serverValue(key);
      return edit && !sameJson(edit.base, now) && !sameJson(edit.value, now) ? { value: now } : undefined;
    },
    errors,
    dirty: Object.keys(edits).length > 0 || Object.keys(typing).length > 0,
    wasRestored: restored !== undefined,
    failure,
    conflict,
    busy,
    round,
    /** Changes when errors must be revealed. */ reveal,
    change,
    discard,
    save,
    refuse,
    decide,
  };
}
export type RecordEdits = ReturnType<typeof useRecordEdits>;
