import { Button } from '@mui/material';
import { useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordChange } from '@contract/tables/records';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { isComputed } from '@contract/tables/terms';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useLanguageName } from '@/lib/languageName';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { EmptyState } from '@/ui/EmptyState';
import { RowsSkeleton } from '@/ui/skeletons';
import { CellView } from '../fieldTypes/CellView';
import { FieldEnvProvider, joinedLabels, useFieldEnv } from '../fieldTypes/env';
import { useRecordHistoryQuery, useRevertRecordMutation } from './recordApi';
import type { OfRecord } from './recordApi';
import { sameJson } from './useRecordEdits';

const page = 50;

const ChangedField = ({
  change,
  field,
  language,
  fieldKey,
  restorable,
  onRestore,
}: {
  readonly change: RecordChange;
  readonly field: TableField | undefined;
  readonly language: string;
  readonly fieldKey: string;
  readonly restorable: boolean;
  readonly onRestore: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const sides = change.fields[fieldKey];
  const title = field?.title ?? t('history.gone');
  const name = language === '' ? title : t('inLanguage', { name: title, language });
  const side = (which: 'before' | 'after', value = sides?.[which]): ReactNode =>
    value === null || value === undefined || value === '' || !field ? (
      <span className="f-dim">{t('empty')}</span>
    ) : (
      // Values that the field's current type cannot hold are shown as the text recorded at the time.
      <CellView field={sides?.texts?.includes(which) === true ? { ...field, type: 'text' } : field} value={value} height="tall" />
    );
  return (
    <li>
      <b>{name}</b>
      {change.kind !== 'create' && <del aria-label={t('history.was')}>{side('before')}</del>}
      <ins aria-label={t('history.becomes')}>{side('after')}</ins>
      {restorable && (
        <Button aria-label={t('history.restoreName', { name })} onClick={onRestore}>
          {t('history.restore')}
        </Button>
      )}
    </li>
  );
};

type ChangeProps = {
  readonly change: RecordChange;
  readonly table: ContentTable;
  readonly valueOf: (key: string) => unknown;
  readonly onRestore: (key: string, name: string, revision: number) => Promise<void>;
};

/** Whether a field of a change can be set back to its value before the change. */
function isRestorable(change: RecordChange, key: string, field: TableField | undefined, valueOf: (key: string) => unknown): boolean {
  if (change.kind === 'create' || change.revision <= 1 || field === undefined || field.readonly || isComputed(field.type)) return false;
  const { before, texts } = change.fields[key] ?? {};
  // Passwords are not readable, so their values cannot be compared.
  return texts?.includes('before') !== true && (field.type === 'password' || !sameJson(before, valueOf(key)));
}

/** Who made a change: a person, a visitor through a form, or the program itself. */
function useActorName({ by, byDeleted, origin }: RecordChange): string {
  const { t } = useTranslation(['tableRecord', 'tables']);
  if (byDeleted === true) return t('deletedUser');
  if (by === '') return t('history.nobody');
  return origin === 'form' ? `${t('tables:undo.origin.form')} · ${by}` : by;
}

/** One change: who made it, when, from where, and its fields. */
const Change = ({ change, table, valueOf, onRestore }: ChangeProps): ReactElement => {
  const { t } = useTranslation(['tableRecord', 'tables']);
  const env = useFieldEnv();
  const { format } = env;
  // Earlier values may use files that the record does not use any more.
  const itsEnv = change.resources ? { ...env, labels: joinedLabels(env.labels, { records: {}, people: {}, resources: change.resources }) } : env;
  const languageName = useLanguageName();
  const actorName = useActorName(change);
  const mayWrite = table.may.includes('update');
  return (
    <li>
      <p>
        <b>{t(`history.kind.${change.kind}`)}</b>
        <span>{actorName}</span>
        <time dateTime={change.at} title={format.dateTime(change.at, { seconds: true })}>
          {format.relative(change.at)}
        </time>
        {(change.origin !== 'form' || change.by === '') && <span>{t(`tables:undo.origin.${change.origin}`)}</span>}
        <span>#{change.revision}</span>
      </p>
      {Object.keys(change.fields).length > 0 && (
        <FieldEnvProvider value={itsEnv}>
          <ul>
            {Object.keys(change.fields).map((key) => {
              const [id = '', locale = ''] = key.split('@');
              const field = table.fields.find((one) => one.id === id);
              return (
                <ChangedField
                  key={key}
                  change={change}
                  field={field}
                  fieldKey={key}
                  language={locale === '' ? '' : languageName(locale)}
                  restorable={mayWrite && isRestorable(change, key, field, valueOf)}
                  onRestore={() => void onRestore(key, field?.title ?? '', change.revision - 1)}
                />
              );
            })}
          </ul>
        </FieldEnvProvider>
      )}
    </li>
  );
};

type PageProps = Pick<ChangeProps, 'table' | 'valueOf'> & { readonly of: OfRecord; readonly before?: number | undefined };

const Page = ({ of, table, before, valueOf }: PageProps): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const dispatch = useAppDispatch();
  const [more, setMore] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const [revert, { isLoading }] = useRevertRecordMutation();
  const result = useRecordHistoryQuery({ ...of, ...(before === undefined ? {} : { before }) });
  const restore = async (key: string, name: string, revision: number): Promise<void> => {
    // The button disappears after the revert: the list takes the focus, so that keys such as Escape still work.
    list.current?.focus();
    const { error } = await revert({ ...of, body: { revision, fields: [key] } });
    if (error === undefined) dispatch(noticeShown({ tone: 'good', message: { key: 'tableRecord:history.restored', values: { name } } }));
    else notifyFailure(dispatch, error);
  };
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={5} />}>
      {(changes) => {
        const last = changes.at(-1);
        if (changes.length === 0 && before === undefined) return <EmptyState title={t('history.none')} />;
        return (
          <>
            <ol ref={list} className="rec-history" tabIndex={-1} aria-busy={isLoading}>
              {changes.map((change) => (
                <Change key={change.revision} change={change} table={table} valueOf={valueOf} onRestore={restore} />
              ))}
            </ol>
            {last && changes.length >= page && last.revision > 1 && !more && <Button onClick={() => setMore(true)}>{t('history.more')}</Button>}
            {last && more && <Page of={of} table={table} before={last.revision} valueOf={valueOf} />}
          </>
        );
      }}
    </ResultState>
  );
};

/** The changes of a record, newest first; single fields can be reverted. */
export const HistoryTab = (props: { readonly of: OfRecord; readonly table: ContentTable; readonly valueOf: (key: string) => unknown }): ReactElement => (
  <Page {...props} />
);
