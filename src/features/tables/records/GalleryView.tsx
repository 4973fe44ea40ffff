import { Button, ButtonBase, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { ResultState } from '@/ui/ResultState';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { useRecordsQuery } from '../tablesApi';
import { cardFields, RecordCard } from './cards';
import { Labelled } from './Labelled';
import type { Question } from './useRecordSource';
import type { ActiveView } from './useActiveView';

const step = 60;
const most = 960;

/** Records as cards with pictures; more are loaded on demand. */
export const GalleryView = ({
  siteId,
  table,
  activeView,
  question,
  narrowed,
  onClear,
  onOpen,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly activeView: ActiveView;
  readonly question: Question;
  readonly narrowed: boolean;
  readonly onClear: () => void;
  readonly onOpen: (id: string) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const format = useFormat();
  const [limit, setLimit] = useState(step);
  const { query } = activeView;
  const cover = query.cover ?? table.fields.find(({ type }) => type === 'image')?.id ?? null;
  const result = useRecordsQuery({ siteId, table: table.id, ...question, limit, count: 'capped' });
  const fields = cardFields(table, query, [cover]);
  return (
    <div className="tables-scrolls">
      <ResultState
        result={result}
        skeleton={<RowsSkeleton />}
        failed={(error, retry) => <ErrorPanel title={t('empty.loadFailed')} failure={isFailure(error) ? error : null} onRetry={retry} />}
      >
        {({ rows, labels, next }) =>
          rows.length === 0 ? (
            narrowed ? (
              <EmptyState kind="noMatch" title={t('empty.noMatch')} action={<Button onClick={onClear}>{t('empty.clear')}</Button>} />
            ) : (
              <EmptyState title={t('empty.title')}>{t('empty.cards')}</EmptyState>
            )
          ) : (
            <Labelled labels={labels}>
              <ul className="tables-gallery">
                {rows.map((record) => (
                  <li key={record.id} className="tables-card" data-record={record.id}>
                    <ButtonBase className="tables-card-face" onClick={() => onOpen(record.id)}>
                      <RecordCard table={table} query={{ ...query, cover }} record={record} fields={fields} />
                    </ButtonBase>
                  </li>
                ))}
              </ul>
              {next !== null &&
                (limit < most ? (
                  <Button sx={{ mt: 2 }} onClick={() => setLimit(limit + step)} aria-busy={result.isFetching}>
                    {t('cards.more')}
                  </Button>
                ) : (
                  <Typography variant="caption">{t('cards.capped', { countText: format.number(rows.length) })}</Typography>
                ))}
            </Labelled>
          )
        }
      </ResultState>
    </div>
  );
};
