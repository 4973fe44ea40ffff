import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable, FormLayout, SchemaChange } from '@contract/tables/schemas';
import { fieldTypes } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { fieldParts } from '@/features/tables/parts/fieldParts';
import { useRevertSchemaMutation, useSchemaHistoryQuery } from '@/features/tables/parts/designApi';
import { ListContent } from '@/ui/list/ListContent';
import { RuleChanges } from './RuleChanges';
import { SchemaDialog } from './SchemaDialog';

const short = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};

/** Labels of the parts of a table's settings; `edit.part` has those of fields. */
const tableParts = {
  icon: 'icon',
  note: 'note',
  primaryField: 'primary',
  drafts: 'draftsLabel',
  locales: 'localesLabel',
  pages: 'pattern',
  trashDays: 'trashDays',
} as const;

/** Labels of what a change affected: types, parts and their values. */
function useChangeLabels(table: ContentTable) {
  const { t } = useTranslation('tableSchemas');
  const { t: design } = useTranslation('tableDesign');
  const typeIn = (parts: SchemaChange['before']) => {
    const type = fieldTypes.find((one) => one === parts['type']);
    return type === undefined ? '' : design(`type.${type}`);
  };
  const partName = (part: string): string => {
    if (part === 'layout') return design('layout.form');
    const ofTable = tableParts[part as keyof typeof tableParts];
    if (ofTable !== undefined) return t(`schemas.${ofTable}`);
    return fieldParts.some((one) => one === part) ? design(`edit.part.${part as (typeof fieldParts)[number]}`) : part;
  };
  const value = (one: unknown, part: string): string => {
    // A layout references fields by id.
    if (part === 'layout') return one ? design('layout.sections', { count: (one as FormLayout).sections.length }) : design('layout.plain');
    if (typeof one === 'boolean') return t(one ? 'history.yes' : 'history.no');
    if (part === 'primaryField') return table.fields.find(({ id }) => id === one)?.title ?? t('history.goneField');
    return one === null || one === undefined || one === '' ? t('history.empty') : short(one);
  };
  return { typeIn, partName, value };
}

/** One change: what was done, by whom and when, with the values before and after. */
const ChangeText = ({
  table,
  tables,
  change,
}: {
  readonly table: ContentTable;
  readonly tables: readonly ContentTable[];
  readonly change: SchemaChange;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const format = useFormat();
  const { typeIn, partName, value } = useChangeLabels(table);
  const { op, before, after } = change;
  return (
    <div style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
      <b>{t(`history.op.${op}`)}</b> {change.name}
      <p className="design-quiet">
        {change.by} · {format.dateTime(change.at)}
      </p>
      {op === 'field_converted' && <p className="design-quiet">{[before, after].map(typeIn).join(' → ')}</p>}
      {op === 'rules_changed' && <RuleChanges table={table} tables={tables} before={before} after={after} />}
      {(op === 'field_changed' || op === 'table_changed') &&
        Object.keys(after).map((part) => (
          <p key={part} className="design-quiet">
            {t('history.part', { name: partName(part), was: value(before[part], part), is: value(after[part], part) })}
          </p>
        ))}
    </div>
  );
};

/** Changes of a table's definition, newest first, with a button for those that can be reverted. */
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
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const at = { siteId, table: table.id };
  const result = useSchemaHistoryQuery(at);
  const [revert, { isLoading, error }] = useRevertSchemaMutation();
  const takeBack = async ({ id, op, name }: SchemaChange) => {
    // Reverting an addition removes what was added.
    const removes = op === 'table_added' || op === 'field_added';
    if (
      !(await confirm({
        title: t('history.ask', { what: t(`history.op.${op}`), name }),
        body: removes ? t('history.away') : undefined,
        confirm: t('history.revert'),
        danger: removes,
      }))
    )
      return;
    const { data } = await revert({ ...at, change: id });
    // A conversion is reverted by a job.
    if (data) dispatch(noticeShown({ tone: 'good', message: { key: op === 'field_converted' ? 'tableSchemas:history.begun' : 'tableSchemas:history.done' } }));
  };
  return (
    <SchemaDialog wide title={t('history.title', { name: table.title })} error={error} onClose={onClose}>
      <ListContent result={result} rowsOf={(rows) => rows} skeletonRows={5} empty={<p>{t('history.none')}</p>}>
        {(list) => (
          <ul className="design-rows">
            {list.map((change) => (
              <li key={change.id} className="design-row" style={{ padding: '8px 12px', gap: 12, alignItems: 'flex-start' }}>
                <ChangeText table={table} tables={tables} change={change} />
                {change.reverted ? (
                  <span className="design-mark">{t('history.reverted')}</span>
                ) : (
                  mayDesign &&
                  change.revertible && (
                    <Button size="small" sx={{ flex: 'none' }} disabled={isLoading} onClick={() => void takeBack(change)}>
                      {t('history.revert')}
                    </Button>
                  )
                )}
              </li>
            ))}
          </ul>
        )}
      </ListContent>
    </SchemaDialog>
  );
};
