import { LinearProgress } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableImport } from '@contract/tables/transfers';
import { useFormat } from '@/lib/format';

/** Progress of an import: rows processed, rows per second, time left. */
export const ImportProgress = ({
  tableImport,
  title,
  rows,
}: {
  readonly tableImport: TableImport;
  readonly title: string;
  /** Processed rows. */ readonly rows: number;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const whole = tableImport.total ?? tableImport.file.size;
  const share = tableImport.done === null || whole === 0 ? null : Math.min(100, (tableImport.done / whole) * 100);
  const texts =
    tableImport.done === null
      ? [t('progress.waiting')]
      : [
          rows === 0 ? t('progress.reading') : t('progress.rows', { rows: format.number(rows) }),
          ...(tableImport.perSecond === null ? [] : [t('progress.pace', { rows: format.number(Math.round(tableImport.perSecond)) })]),
          ...(tableImport.secondsLeft === null ? [] : [t('progress.left', { time: format.duration(tableImport.secondsLeft) })]),
        ];
  return (
    <div className="transfer-progress">
      <h3>{title}</h3>
      <LinearProgress {...(share === null ? {} : { variant: 'determinate' as const, value: share })} aria-label={title} />
      <p className="transfer-quiet" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {texts.join(' · ')}
      </p>
    </div>
  );
};
