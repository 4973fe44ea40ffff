import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableImport } from '@contract/tables/transfers';
import { useFormat } from '@/lib/format';
import { JobProgress, shareDone } from '@/ui/JobProgress';

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
      <JobProgress title={title} titleAs="h3" share={shareDone(tableImport.done, tableImport.total ?? tableImport.file.size)} note={texts.join(' · ')} />
    </div>
  );
};
