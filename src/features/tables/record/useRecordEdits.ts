import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldCode } from '@contract/errors';
import type { Conflict, ContentRecord, RecordLabels } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { encodeFieldError } from '@/ui/form/fieldError';
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

type RecordEditsOptions = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly record: LabelledRecord;
  /** The current server value; by `keyOf`. */ readonly serverValue: (key: string) => unknown;
  /** Revision of `serverValue`; undefined where the value is not loaded, e.g. of a language that is not shown. */
  readonly revisionOf: (key: string) => number | undefined;
  readonly onBatches: (batches: readonly string[]) => void;
};

/** Edits with a draft in the session, without passwords. */
function useStoredEdits(table: ContentTable, recordId: string) {
  const { restored, keep, drop } = useDraft<{ edits: Edits }>(`record:${recordId}`);
  const [edits, setEdits] = useState<Edits>(restored?.edits ?? {});
  const isSecret = (key: string): boolean => table.fields.find(({ id }) => id === partsOf(key)[0])?.type === 'password';
  const store = (next: Edits): void => {
    const storable = without(next, isSecret);
    if (Object.keys(storable).length === 0) drop();
    else keep({ edits: storable });
  };
  return {
    edits,
    wasRestored: restored !== undefined,
    hasSecrets: Object.keys(edits).some(isSecret),
    hasStored: !Object.keys(edits).every(isSecret),
    put: (next: Edits): void => {
      setEdits(next);
      store(next);
    },
    /** After a save of `sent`, of which `remaining` failed: input typed during the save is still unsaved. */
    dropSaved: (sent: Edits, remaining: Edits): void =>
      setEdits((now) => {
        const next = without(now, (key) => !(key in remaining) && sameJson(now[key]?.value, sent[key]?.value));
        store(next);
        return next;
      }),
  };
}

/** The errors of refused writes by field. A change of `reveal` makes the first one visible. */
function useRefusedErrors(table: ContentTable) {
  const { t } = useTranslation('tableRecord');
  const say = useFieldErrorMessage();
  const [refused, setRefused] = useState<ErrorMessages>({});
  const [reveal, setReveal] = useState(0);
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
        const message = fieldError.message ?? own ?? say(encodeFieldError(fieldError)) ?? t('saveFailed');
        return [[keyOf(field.id, field.localized ? locale : ''), message] as const];
      }),
    );
  return {
    refused,
    setRefused,
    reveal,
    revealErrors: (): void => setReveal((before) => before + 1),
    /** Shows errors at their fields; false: none of them belongs to a field. */
    refuse: (error: unknown, locale = ''): boolean => {
      const messages = isFailure(error) ? errorMessagesOf(error, locale) : {};
      const isKnown = Object.keys(messages).length > 0;
      setRefused(messages);
      if (isKnown) setReveal((before) => before + 1);
      return isKnown;
    },
  };
}

/** Writes the edits of one language. The saved values, or those of others, are loaded before it resolves, so that dropping the edits shows no old value. */
function useWriteLanguage({ siteId, table, record, serverValue, revisionOf }: RecordEditsOptions) {
  const dispatch = useAppDispatch();
  return async (edits: Edits, keys: readonly string[], locale: string) => {
    // A field that nobody else has changed is sent with the current revision: only real conflicts remain.
    const isUntouched = (key: string): boolean => sameJson(edits[key]?.base, serverValue(key));
    const revision = Math.min(...keys.map((key) => (isUntouched(key) ? revisionOf(key) : undefined) ?? edits[key]?.revision ?? 1));
    const values = Object.fromEntries(keys.map((key) => [partsOf(key)[0], edits[key]?.value ?? null]));
    const inLocale = locale === '' ? {} : { locale };
    const body = { changes: [{ id: record.id, revision, values }], ...inLocale };
    const { data, error } = await dispatch(tablesApi.endpoints.changeRecords.initiate({ siteId, table: table.id, body }));
    const [conflict] = isFailure(error) ? conflictsIn(error.current) : [];
    if (data || conflict) {
      const again = { subscribe: false, forceRefetch: true };
      await dispatch(tablesApi.endpoints.record.initiate({ siteId, table: table.id, id: record.id, ...inLocale }, again));
    }
    return { data, error, conflict };
  };
}

type LanguageRefusal = { readonly locale: string; readonly error: unknown; readonly conflict: Conflict | undefined };
/** Saves one language after the other until one is refused; `remaining` are the edits that are not saved. */
async function saveLanguages(
  edits: Edits,
  writeLanguage: ReturnType<typeof useWriteLanguage>,
  onBatches: RecordEditsOptions['onBatches'],
): Promise<{ readonly remaining: Edits; readonly refusal: LanguageRefusal | null }> {
  const keys = Object.keys(edits);
  let remaining = edits;
  for (const locale of [...new Set(keys.map((key) => partsOf(key)[1]))].toSorted()) {
    const own = keys.filter((key) => partsOf(key)[1] === locale);
    const { data, error, conflict } = await writeLanguage(edits, own, locale);
    if (!data) return { remaining, refusal: { locale, error, conflict } };
    if (data.batchId !== null) onBatches([data.batchId]);
    remaining = without(remaining, (key) => own.includes(key));
  }
  return { remaining, refusal: null };
}

/** Resolves the conflict of one field: the own value is based on the other user's from now on, or dropped. */
function decideField(
  edits: Edits,
  conflict: RecordConflict,
  field: string,
  mine: boolean,
): { readonly edits: Edits; readonly conflict: RecordConflict | null } {
  const key = keyOf(field, conflict.locale);
  const known = edits[key];
  const fields = without(conflict.fields, (one) => one === field);
  return {
    edits:
      mine && known
        ? { ...edits, [key]: { ...known, base: conflict.fields[field]?.theirs, revision: conflict.revision } }
        : without(edits, (one) => one === key),
    conflict: Object.keys(fields).length === 0 ? null : { ...conflict, fields },
  };
}

/**
 * Unsaved edits of a record, kept apart from the server's values, so that changes of others arrive without losing input. Saved with one write per language;
 * fields that others have changed too become a conflict.
 */
export function useRecordEdits(options: RecordEditsOptions) {
  const { table, record, serverValue, revisionOf, onBatches } = options;
  const dispatch = useAppDispatch();
  const { edits, wasRestored, hasSecrets, hasStored, put, dropSaved } = useStoredEdits(table, record.id);
  const { refused, setRefused, reveal, revealErrors, refuse } = useRefusedErrors(table);
  const writeLanguage = useWriteLanguage(options);
  /** Invalid input, which exists only in its editor. */
  const [typing, setTyping] = useState<ErrorMessages>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [conflict, setConflict] = useState<RecordConflict | null>(null);
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);

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

  const showRefusal = ({ locale, error, conflict: refusedFor }: LanguageRefusal): void => {
    if (refusedFor) setConflict({ locale, revision: refusedFor.revision, by: refusedFor.by, fields: refusedFor.fields });
    else if (!refuse(error, locale)) setFailure(isFailure(error) ? error : null);
  };
  /** Resolves with whether everything was saved. */
  const save = async (): Promise<boolean> => {
    if (Object.keys(typing).length > 0) revealErrors();
    if (busy || Object.keys(typing).length > 0) return false;
    if (Object.keys(edits).length === 0) return true;
    setBusy(true);
    setFailure(null);
    setRefused({});
    setConflict(null);
    const { remaining, refusal } = await saveLanguages(edits, writeLanguage, onBatches);
    if (refusal) showRefusal(refusal);
    dropSaved(edits, remaining);
    setBusy(false);
    if (!refusal) dispatch(noticeShown({ tone: 'good', message: { key: 'tableRecord:saved' }, for: 2000 }));
    return !refusal;
  };

  const decide = (field: string, mine: boolean): void => {
    if (!conflict) return;
    const next = decideField(edits, conflict, field, mine);
    put(next.edits);
    setConflict(next.conflict);
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
    /** How much of the unsaved changes the draft contains. */
    draft: !hasStored ? ('none' as const) : hasSecrets || Object.keys(typing).length > 0 ? ('part' as const) : ('all' as const),
    wasRestored,
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
