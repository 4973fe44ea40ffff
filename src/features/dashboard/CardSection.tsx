import type { Cards } from '@contract/dashboard/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { To } from 'react-router-dom';
import { useDelayed } from '@/lib/useDelayed';
import { useFormat } from '@/lib/format';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { CardId } from '@contract/dashboard/terms';
import { MoreLink } from './MoreLink';
import type { Dashboard } from './useDashboard';

type DataOf<K extends CardId> = NonNullable<NonNullable<Cards[K]>['data']>;

/** Text in place of data. */
export const Quiet = styled('p')({ margin: 0, color: 'var(--ink-2)', fontSize: 'var(--text-table)' });

/** A card of the dashboard: its heading with a link to its screen, and its own loading, empty, outdated and failed states. Nothing for those who may not open its screen. */
export function CardSection<K extends CardId>({
  id,
  dashboard,
  title,
  note,
  more,
  actions,
  columns,
  skeleton = <RowsSkeleton rows={3} />,
  empty,
  children,
}: {
  readonly id: K;
  readonly dashboard: Dashboard;
  readonly title: string;
  readonly note?: ReactNode;
  readonly more?: To | undefined;
  readonly actions?: ReactNode;
  /** Of twelve. */
  readonly columns: number;
  readonly skeleton?: ReactNode;
  /** Instead of empty data; absent: the children show them. */
  readonly empty?: ReactNode;
  readonly children: (data: DataOf<K>) => ReactNode;
}): ReactElement | null {
  const { t } = useTranslation('dashboard');
  const { time } = useFormat();
  const card = dashboard.cards?.[id];
  // A card that could not be read the first time is read again at once.
  const isLoading = card === undefined || (card.state === 'error' && dashboard.readsAgain);
  const isLate = useDelayed(isLoading);
  if (card?.state === 'forbidden') return null;
  const stale = card?.state === 'stale' && card.at !== null ? <span style={{ color: 'var(--warning)' }}>{t('stale', { time: time(card.at) })}</span> : null;
  return (
    <div data-columns={columns} data-card={id}>
      <Section
        title={title}
        note={stale ?? note}
        dim={dashboard.isRefreshing && !isLoading}
        actions={
          <>
            {actions}
            {more !== undefined && <MoreLink to={more} name={title} />}
          </>
        }
      >
        {isLoading ? (
          <div aria-busy="true" style={{ visibility: isLate ? 'visible' : 'hidden' }}>
            {skeleton}
          </div>
        ) : card.state === 'error' || card.data === null ? (
          <Failed name={title} onRetry={() => dashboard.refresh(id)} isRetrying={dashboard.isRefreshing} />
        ) : card.state === 'empty' && empty !== undefined ? (
          empty
        ) : (
          children(card.data)
        )}
      </Section>
    </div>
  );
}

const Failed = ({ name, onRetry, isRetrying }: { name: string; onRetry: () => void; isRetrying: boolean }): ReactElement => {
  const { t } = useTranslation('dashboard');
  return (
    <div className="error-panel" role="alert">
      <p>{t('failed', { name })}</p>
      <p>{t('failedText')}</p>
      <Button sx={{ mt: 1 }} variant="outlined" onClick={onRetry} loading={isRetrying} aria-label={t('retryName', { name })}>
        {t('retry')}
      </Button>
    </div>
  );
};
