import { type KeywordEngine, keywordEngineNames } from '@contract/imports/keywordTerms';
import type { KeywordReport } from '@contract/imports/keywords';
import { Alert, Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/ui/EmptyState';
import { useLabels } from './useLabels';

export type Period = KeywordReport['imported'][number];

const Notes = styled('div')({ display: 'grid', gap: 8, marginBottom: 12 });
export const CoveredPeriod = styled('span')({ fontSize: 'var(--text-table)', color: 'var(--ink-2)' });

/** Nothing has been imported yet. */
export const ImportInvitation = ({ imports }: { readonly imports: string }): ReactElement => {
  const { t } = useLabels();
  return (
    <EmptyState
      title={t('blocks.reportedKeywords.invite')}
      action={
        <Button variant="outlined" component={Link} to={imports}>
          {t('blocks.reportedKeywords.import')}
        </Button>
      }
    >
      {t('blocks.reportedKeywords.inviteText')}
    </EmptyState>
  );
};

/** Everything imported is outside the range. */
export const OutsideRange = ({ periods, onShow }: { readonly periods: readonly Period[]; readonly onShow: (period: Period) => void }): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const [newest] = periods.toSorted((a, b) => (a.to < b.to ? 1 : -1));
  return (
    <EmptyState
      kind="noMatch"
      title={t('blocks.reportedKeywords.outside')}
      action={
        newest !== undefined && (
          <Button variant="outlined" onClick={() => onShow(newest)}>
            {t('blocks.reportedKeywords.showImported')}
          </Button>
        )
      }
    >
      {t('blocks.reportedKeywords.outsideText', {
        periods: periods
          .map(({ engine, from, to }) => t('blocks.reportedKeywords.coverage', { engine: labels.product(keywordEngineNames[engine]), from, to }))
          .join(t('list')),
      })}
    </EmptyState>
  );
};

/** What the figures do not include, and where the comparison is uneven. */
export const KeywordRemarks = ({
  report,
  engine: chosen,
  onShow,
}: {
  readonly report: KeywordReport;
  readonly engine: KeywordEngine | 'all';
  readonly onShow: (period: Period) => void;
}): ReactElement | null => {
  const labels = useLabels();
  const { t } = labels;
  const engineName = (engine: KeywordEngine): string => labels.product(keywordEngineNames[engine]);
  const compared = report.compareFrom === null ? [] : report.coverage.filter(({ engine }) => chosen === 'all' || chosen === engine);
  const without = compared.filter(({ compareDays }) => compareDays === 0);
  const uneven = compared.filter(({ days, compareDays }) => compareDays > 0 && days !== compareDays);
  if (report.partial.length === 0 && uneven.length === 0 && without.length === 0) return null;
  return (
    <Notes>
      {report.partial.map((period) => (
        <Alert key={`${period.engine} ${period.from} ${period.to}`} severity="info">
          {t('blocks.reportedKeywords.partial', { ...period, engine: engineName(period.engine) })}{' '}
          <Button color="inherit" onClick={() => onShow(period)} sx={{ py: 0, minHeight: 0, textDecoration: 'underline' }}>
            {t('blocks.reportedKeywords.show')}
          </Button>
        </Alert>
      ))}
      {uneven.map(({ engine, days, compareDays }) => (
        <CoveredPeriod key={engine}>{t('blocks.reportedKeywords.uneven', { engine: engineName(engine), days, compareDays })}</CoveredPeriod>
      ))}
      {without.length > 0 && (
        <CoveredPeriod>{t('blocks.reportedKeywords.noCompare', { engines: without.map(({ engine }) => engineName(engine)).join(t('list')) })}</CoveredPeriod>
      )}
    </Notes>
  );
};
