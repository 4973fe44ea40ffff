import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { textOf } from '@contract/tables/fieldText';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { phone, useMedia } from '@/lib/useMedia';
import { href } from '@/routes/paths';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useDuplicatesQuery } from './conversionApi';

/** Values that several records share, with those records. */
export const DuplicateValues = ({
  site,
  table,
  field,
  onClose,
}: {
  readonly site: Site;
  readonly table: ContentTable;
  readonly field: TableField;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableConvert');
  const id = useId();
  const onPhone = useMedia(phone);
  const result = useDuplicatesQuery({ siteId: site.id, table: table.id, field: field.id, limit: 50 }, { refetchOnMountOrArgChange: true });
  const to = (record: string): string => `${href('site.table.records', { siteId: site.id })}?table=${table.id}&record=${record}`;
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm" fullScreen={onPhone}>
      <DialogTitle id={id}>
        {t('index.list')} · {field.title}
      </DialogTitle>
      <DialogContent
        sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'start', gap: 2, fontSize: 'var(--text-body)', '& p': { m: 0 } }}
      >
        <ResultState result={result} skeleton={<RowsSkeleton rows={4} />}>
          {({ total, values, labels }) =>
            total === 0 ? (
              <p role="status">{t('index.noMore')}</p>
            ) : (
              <div className="convert-part">
                <p>{t('index.duplicates', { count: total })}</p>
                <ul className="convert-uses">
                  {values.map(({ value, count, records }) => {
                    const name = textOf(field, value, { ...labels, timeZone: site.timeZone });
                    return (
                      <li key={JSON.stringify(value)}>
                        <b style={{ overflowWrap: 'anywhere' }}>{name}</b>
                        <span className="design-quiet">{t('index.times', { count })}</span>
                        <span className="design-line" style={{ flexBasis: '100%', marginLeft: 0 }}>
                          {records.map((record) => (
                            <Link key={record.id} to={to(record.id)}>
                              {record.label}
                            </Link>
                          ))}
                          {count > records.length && <span className="design-quiet">{t('index.hidden', { count: count - records.length })}</span>}
                        </span>
                      </li>
                    );
                  })}
                </ul>
                {total > values.length && <p className="design-quiet">{t('index.first', { count: values.length })}</p>}
              </div>
            )
          }
        </ResultState>
      </DialogContent>
      <DialogActions>
        <Button disabled={result.isFetching} onClick={() => void result.refetch()}>
          {t('index.again')}
        </Button>
        <Button variant="contained" onClick={onClose}>
          {t('close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
