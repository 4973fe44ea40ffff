import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { CellView } from '../fieldTypes/CellView';
import type { RecordEdits } from './useRecordEdits';

/** Both versions of the fields in conflict; each is decided separately, and saved with the other changes. */
export const ConflictPanel = ({ table, edits }: { readonly table: ContentTable; readonly edits: RecordEdits }): ReactElement | null => {
  const { t } = useTranslation('tableRecord');
  const { conflict } = edits;
  if (!conflict) return null;
  return (
    <section className="rec-conflict" role="alert" aria-label={t('conflict.title')}>
      <h3>{t('conflict.title')}</h3>
      <p>{conflict.by === null || conflict.by === '' ? t('conflict.leadNobody') : t('conflict.lead', { name: conflict.by })}</p>
      {Object.entries(conflict.fields).map(([id, sides]) => {
        const field = table.fields.find((one) => one.id === id);
        if (!field) return null;
        return (
          <div key={id} role="group" aria-label={field.title}>
            <b>{field.title}</b>
            <dl>
              {(['base', 'theirs', 'yours'] as const).map((side) => (
                <div key={side}>
                  <dt>{t(`conflict.${side}`)}</dt>
                  <dd>
                    {sides[side] === null || sides[side] === undefined || sides[side] === '' ? (
                      <span className="f-dim">{t('empty')}</span>
                    ) : (
                      <CellView field={field} value={sides[side]} height="tall" />
                    )}
                  </dd>
                </div>
              ))}
            </dl>
            <Button onClick={() => edits.decide(id, false)}>{t('conflict.takeTheirs')}</Button>
            <Button onClick={() => edits.decide(id, true)}>{t('conflict.takeMine')}</Button>
          </div>
        );
      })}
    </section>
  );
};
