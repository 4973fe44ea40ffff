import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { deliveryStates, webhookEvents } from '@contract/tables/webhooks';
import type { Webhook, WebhookDelivery } from '@contract/tables/webhooks';
import { useFormat } from '@/lib/format';
import { writeSearch } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { InfiniteList } from '@/ui/list/InfiniteList';
import { NoMatch } from '@/ui/list/NoMatch';
import { Section } from '@/ui/Section';
import { Choose } from '@/features/tables/records/parts';
import { address } from './address';
import { useHookDeliveriesInfiniteQuery } from './webhooksApi';
import { ReplayDialog } from './ReplayDialog';
import { useWebhookLabels } from './useWebhookLabels';

const DeliveryRow = ({
  hook,
  row,
  to,
  current,
}: {
  readonly hook: Webhook;
  readonly row: WebhookDelivery;
  readonly to: string;
  readonly current: boolean;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const labels = useWebhookLabels();
  const format = useFormat();
  const when = format.dateTime(row.at, { seconds: true });
  const next = !hook.enabled
    ? t('log.paused')
    : row.nextAt === null || row.attempts === 0
      ? t('log.soon')
      : t('log.next', { when: format.time(row.nextAt, { seconds: true }) });
  return (
    <li>
      <Link to={to} aria-current={current || undefined} aria-label={t('log.open', { when, event: labels.event(row.event) })}>
        <time dateTime={row.at}>{when}</time>
        <span>
          {labels.event(row.event)}
          {row.records > 1 && ` · ${t('log.records', { count: row.records })}`}
        </span>
        <span className="hook-result" data-state={row.state}>
          <span>
            {labels.result(row)}
            {row.state === 'waiting' && ` · ${next}`}
          </span>
        </span>
        <small>{row.ms === null ? '' : t('log.ms', { n: format.number(row.ms) })}</small>
      </Link>
    </li>
  );
};

/** Deliveries of a webhook, latest first. */
export const DeliveryLog = ({ siteId, hook, test }: { readonly siteId: string; readonly hook: Webhook; readonly test: ReactElement }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const labels = useWebhookLabels();
  const location = useLocation();
  const { state: at, change, isFiltered, clear } = useListAddress(address, ['state', 'event']);
  const [replaying, setReplaying] = useState(false);
  const result = useHookDeliveriesInfiniteQuery(
    { siteId, hook: hook.id, ...(at.state === 'all' ? {} : { state: at.state }), ...(at.event === 'all' ? {} : { event: at.event }) },
    // Changes of records lead to deliveries shortly afterwards.
    { refetchOnMountOrArgChange: true, pollingInterval: 5000, skipPollingIfUnfocused: true },
  );
  const to = (delivery: string): string => `?${writeSearch(address, new URLSearchParams(location.search), { delivery }).toString()}`;
  const empty = isFiltered ? (
    <NoMatch title={t('log.none')} onClear={clear}>
      {t('log.noneText')}
    </NoMatch>
  ) : (
    <EmptyState title={t('log.empty')} action={test}>
      {t('log.emptyText')}
    </EmptyState>
  );
  return (
    <Section title={t('log.title')} note={t('log.keep')}>
      <div className="hook-tools">
        <Choose
          label={t('log.state')}
          value={at.state}
          options={(['all', ...deliveryStates] as const).map((id) => ({ id, name: t(`log.states.${id}`) }))}
          onChange={(state) => change({ state }, 'replace')}
        />
        <Choose
          label={t('log.event')}
          value={at.event}
          options={[{ id: 'all', name: t('allEvents') } as const, ...[...webhookEvents, 'test' as const].map((id) => ({ id, name: labels.event(id) }))]}
          onChange={(event) => change({ event }, 'replace')}
        />
        <span title={hook.enabled ? undefined : t('log.offHint')}>
          <Button disabled={!hook.enabled} onClick={() => setReplaying(true)}>
            {t('act.replayFailed')}
          </Button>
        </span>
      </div>
      <InfiniteList result={result} skeletonRows={6} empty={empty}>
        {(rows) => (
          <ul className="hook-log" aria-label={t('log.label')}>
            {rows.map((row) => (
              <DeliveryRow key={row.id} hook={hook} row={row} to={to(row.id)} current={row.id === at.delivery} />
            ))}
          </ul>
        )}
      </InfiniteList>
      {replaying && <ReplayDialog siteId={siteId} hook={hook} onClose={() => setReplaying(false)} />}
    </Section>
  );
};
