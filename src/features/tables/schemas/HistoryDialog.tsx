import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable, FormLayout, SchemaChange } from '@contract/tables/schemas';
import { fieldTypes } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { fieldParts } from '../parts/fieldParts';
import { useRevertSchemaMutation, useSchemaHistoryQuery } from '../parts/designApi';
import { RightsChange } from './RightsChange';
import { Frame } from './Small';

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};

/** What the settings of a table call its parts; `edit.part` has those of a field. */
const tableParts = {
  icon: 'icon',
  note: 'note',
  primaryField: 'primary',
  drafts: 'draftsLabel',
  locales: 'localesLabel',
  pages: 'pattern',
  trashDays: 'trashDays',
} as const;

/** Changes of a table's definition, newest first; what can be taken back has a button. */
export const HistoryDialog = ({
  siteId,
  table,
  tables,
  mayDesign,
  onClose,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly tables: readonly ContentTable[];
  readonly mayDesign: boolean;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const { t: word } = useTranslation('tableDesign');
  const dispatch = useAppDispatch();
  const format = useFormat();
  const confirm = useConfirm();
  const at = { siteId, table: table.id };
  const answer = useSchemaHistoryQuery(at);
  const [revert, { isLoading, error }] = useRevertSchemaMutation();
  const back = async ({ id, op, name }: SchemaChange) => {
    // Taking back that something was made takes it away.
    const away = op === 'table_added' || op === 'field_added';
    if (
      !(await confirm({
        title: t('history.ask', { what: t(`history.op.${op}`), name }),
        body: away ? t('history.away') : undefined,
        confirm: t('history.revert'),
        danger: away,
      }))
    )
      return;
    const { data } = await revert({ ...at, change: id });
    // A type is changed back by a job.
    if (data) dispatch(noticeShown({ tone: 'good', words: { key: op === 'field_converted' ? 'tableSchemas:history.begun' : 'tableSchemas:history.done' } }));
  };
  const typeIn = (parts: SchemaChange['before']) => {
    const type = fieldTypes.find((one) => one === parts['type']);
    return type === undefined ? '' : word(`type.${type}`);
  };
  const partName = (part: string): string => {
    if (part === 'layout') return word('layout.form');
    const ofTable = tableParts[part as keyof typeof tableParts];
    if (ofTable !== undefined) return t(`schemas.${ofTable}`);
    return fieldParts.some((one) => one === part) ? word(`edit.part.${part as (typeof fieldParts)[number]}`) : part;
  };
  const value = (one: unknown, part: string): string => {
    // A layout speaks of fields by their ids.
    if (part === 'layout') return one ? word('layout.sections', { count: (one as FormLayout).sections.length }) : word('layout.plain');
    if (typeof one === 'boolean') return t(one ? 'history.yes' : 'history.no');
    if (part === 'primaryField') return table.fields.find(({ id }) => id === one)?.title ?? t('history.goneField');
    return one === null || one === undefined || one === '' ? t('history.empty') : short(one);
  };
  return (
    <Frame wide title={t('history.title', { name: table.title })} error={error} onClose={onClose}>
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton rows={5} />}
        failed={(failed, retry, retrying) => <ErrorPanel failure={isFailure(failed) ? failed : null} onRetry={retry} retrying={retrying} />}
      >
        {(list) =>
          list.length === 0 ? (
            <p>{t('history.none')}</p>
          ) : (
            <ul className="design-rows">
              {list.map((change) => (
                <li key={change.id} className="design-row" style={{ padding: '8px 12px', gap: 12, alignItems: 'flex-start' }}>
                  <div style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                    <b>{t(`history.op.${change.op}`)}</b> {change.name}
                    <p className="design-quiet">
                      {change.by} · {format.dateTime(change.at)}
                    </p>
                    {change.op === 'field_converted' && <p className="design-quiet">{[change.before, change.after].map(typeIn).join(' → ')}</p>}
                    {change.op === 'rules_changed' && <RightsChange table={table} tables={tables} before={change.before} after={change.after} />}
                    {(change.op === 'field_changed' || change.op === 'table_changed') &&
                      Object.keys(change.after).map((part) => (
                        <p key={part} className="design-quiet">
                          {t('history.part', { name: partName(part), was: value(change.before[part], part), is: value(change.after[part], part) })}
                        </p>
                      ))}
                  </div>
                  {change.reverted ? (
                    <span className="design-mark">{t('history.reverted')}</span>
                  ) : (
                    mayDesign &&
                    change.revertible && (
                      <Button size="small" sx={{ flex: 'none' }} disabled={isLoading} onClick={() => void back(change)}>
                        {t('history.revert')}
                      </Button>
                    )
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </AnswerState>
    </Frame>
  );
};
