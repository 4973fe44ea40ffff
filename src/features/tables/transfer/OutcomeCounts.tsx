import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportCounts } from '@contract/tables/transfers';
import { useFormat } from '@/lib/format';
import { outcomes } from './rowOutcomes';

/** Number of rows by outcome. */
export const OutcomeCounts = ({ counts }: { readonly counts: ImportCounts }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  return (
    <dl className="transfer-counts" aria-label={t('done.counts')}>
      {outcomes
        .filter((outcome) => counts[outcome] > 0 || outcome === 'insert')
        .map((outcome) => (
          <div key={outcome}>
            <dt>{t(`outcome.${outcome}`)}</dt>
            <dd>{format.number(counts[outcome])}</dd>
          </div>
        ))}
    </dl>
  );
};
