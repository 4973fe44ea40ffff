import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isNothing, settledStates } from '@contract/tables/formTerms';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { useDraft } from '@/features/session/useDraft';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { selectSession } from '@/features/session/sessionSlice';
import { useFieldEnv } from '../fieldTypes/env';
import { fieldStates } from '../record/conditions';
import { tablesApi } from '../tablesApi';
import { startValues } from './RecordForm';
import { useWriteFailure } from './useWriteFailure';

type Values = Readonly<Record<string, unknown>>;

type NewRecordOptions = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly fields: readonly TableField[];
  readonly presetValues: Values;
  readonly locale: string | undefined;
  readonly onSaved: (batches: readonly string[]) => void;
};

/** The states of the fields by the conditions of the table, relative to the time when the form was opened. */
function useConditionStates(table: ContentTable, all: readonly TableField[], values: Values, presetValues: Values) {
  const { timeZone } = useFieldEnv();
  const userId = useAppSelector(selectSession)?.userId ?? null;
  const [now] = useState(() => Date.now());
  const starts = startValues(all);
  return settledStates(
    all.map(({ id }) => id),
    values,
    (id) => presetValues[id] ?? starts[id],
    (effectiveValues) => {
      const found = fieldStates(table, effectiveValues, {}, { now, zone: timeZone, userId });
      return { states: found, away: new Set(all.filter(({ id }) => found[id]?.hidden === true || found[id]?.readonly === true).map(({ id }) => id)) };
    },
  );
}

/**
 * A new record in a form: kept as a draft until it is saved; the server's errors are shown by field. Passwords are never part of the draft. The returned
 * `fields` are those that the table's conditions show for the current input, with the conditions' requirements applied.
 */
export function useNewRecord({ siteId, table, fields: all, presetValues, locale, onSaved }: NewRecordOptions) {
  const { t } = useTranslation('form');
  const dispatch = useAppDispatch();
  const refusal = useWriteFailure(table);
  const { restored, keep, drop } = useDraft<{ values: Values }>(`new-record:${table.id}:${JSON.stringify(presetValues)}`);
  const [values, setValues] = useState<Values>(() => ({ ...startValues(all), ...presetValues, ...restored?.values }));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const [reveal, setReveal] = useState(0);
  const states = useConditionStates(table, all, values, presetValues);
  const fields = all.flatMap((field) => {
    const state = states[field.id];
    return state?.hidden === true || state?.readonly === true ? [] : [state?.required === true && !field.required ? { ...field, required: true } : field];
  });

  const change = (field: string, value: unknown, error?: string): void => {
    const next = { ...values, [field]: value };
    setValues(next);
    setErrors((before) => {
      const { [field]: _gone, ...rest } = before;
      return error === undefined ? rest : { ...rest, [field]: error };
    });
    const secret = all.filter(({ type }) => type === 'password').map(({ id }) => id);
    keep({ values: Object.fromEntries(Object.entries(next).filter(([name]) => !secret.includes(name))) });
  };
  const show = (wrong: Readonly<Record<string, string>>): void => {
    setErrors(wrong);
    setReveal((before) => before + 1);
  };
  const submit = async (): Promise<void> => {
    setFailure(null);
    const missing = Object.fromEntries(fields.filter(({ id, required }) => required && isNothing(values[id])).map(({ id }) => [id, t('errors.required')]));
    if (Object.keys(missing).length > 0 && !table.drafts) return show(missing);
    setBusy(true);
    // The input of fields that a condition has hidden again is kept here, but not saved.
    const away = new Set(all.filter((field) => !fields.some(({ id }) => id === field.id)).map(({ id }) => id));
    const sent = Object.fromEntries(Object.entries(values).filter(([id, value]) => !isNothing(value) && (!away.has(id) || id in presetValues)));
    const body = { records: [sent], ...(locale === undefined ? {} : { locale }) };
    const { data, error } = await dispatch(tablesApi.endpoints.addRecords.initiate({ siteId, table: table.id, body }));
    setBusy(false);
    if (data) {
      drop();
      setValues({ ...startValues(all), ...presetValues });
      setErrors({});
      setRound(round + 1);
      return onSaved(data.batchId === null ? [] : [data.batchId]);
    }
    const { cells } = refusal(error);
    const wrong = Object.fromEntries(cells.map(({ column, message }) => [column, message]));
    if (cells.some(({ column }) => table.fields.some(({ id }) => id === column))) return show(wrong);
    return setFailure(isFailure(error) ? error : null);
  };
  return {
    fields,
    values,
    errors,
    failure,
    busy,
    /** A change remounts the fields. */ round,
    /** A change reveals the first error. */ reveal,
    change,
    submit,
  };
}
export type NewRecord = ReturnType<typeof useNewRecord>;
