import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { webhookLimits } from '@contract/tables/webhooks';
import type { Webhook } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { writeSearch } from '@/lib/searchState';
import { EmptyState } from '@/ui/EmptyState';
import { address } from './address';
import { useWebhookLabels } from './useWebhookLabels';

/** Whether the webhook is active, with a coloured dot. */
export const WebhookState = ({ hook }: { readonly hook: Webhook }): ReactElement => {
  const { text, tone } = useWebhookLabels().state(hook);
  return (
    <span className="hook-state" data-tone={tone}>
      {text}
    </span>
  );
};

/** Results of the latest deliveries. */
export const WebhookFigures = ({ hook }: { readonly hook: Webhook }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const format = useFormat();
  const { sent, failed, waiting } = hook.figures;
  const all = sent + failed;
  // Test messages alone say nothing about regular deliveries.
  const isTestOnly = hook.latest.length > 0 && hook.latest.every(({ event }) => event === 'test');
  const said = hook.latest.map(({ state }) => t(`log.states.${state}`)).join(t('comma'));
  return (
    <div className="hook-figures">
      {hook.latest.length > 0 && !isTestOnly && (
        <div className="hook-strip" role="img" aria-label={t('figure.latest', { list: said })}>
          {hook.latest.map(({ id, state, at }) => (
            <i key={id} data-state={state} title={`${t(`log.states.${state}`)} · ${format.dateTime(at, { seconds: true })}`} />
          ))}
        </div>
      )}
      {all > 0 && (
        <p title={t('figure.shareTip', { n: format.number(all), sent: format.number(sent) })}>{t('figure.share', { share: format.percent(sent / all) })}</p>
      )}
      {hook.latest.length === 0 && <p>{t('figure.none')}</p>}
      {isTestOnly && <p>{t('figure.testOnly')}</p>}
      {waiting > 0 && <p>{t('figure.waiting', { count: waiting })}</p>}
    </div>
  );
};

/** All webhooks of the site. */
export const WebhookList = ({
  hooks,
  tables,
  onAdd,
}: {
  readonly hooks: readonly Webhook[];
  readonly tables: readonly ContentTable[];
  readonly onAdd: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const labels = useWebhookLabels();
  const location = useLocation();
  const full = hooks.length >= webhookLimits.hooks;
  const add = (
    <span title={full ? t('most', { n: webhookLimits.hooks }) : undefined}>
      <Button variant="contained" disabled={full} onClick={onAdd}>
        {t('add')}
      </Button>
    </span>
  );
  const to = (hook: string): string => `?${writeSearch(address, new URLSearchParams(location.search), { hook }).toString()}`;
  if (hooks.length === 0)
    return (
      <EmptyState title={t('empty')} action={add}>
        {t('emptyText')}
      </EmptyState>
    );
  return (
    <>
      <div className="hook-lead">
        <p>{t('lead')}</p>
        {add}
      </div>
      <ul className="hook-list" aria-label={t('label')}>
        {hooks.map((hook) => (
          <li key={hook.id}>
            <div>
              <p className="hook-name">
                <Link className="text-link" to={to(hook.id)} aria-label={t('act.open', { name: hook.name })}>
                  {hook.name}
                </Link>
                <WebhookState hook={hook} />
              </p>
              <p className="hook-url">{hook.url}</p>
              <p className="hook-about">{labels.scope(hook, tables)}</p>
            </div>
            <WebhookFigures hook={hook} />
          </li>
        ))}
      </ul>
    </>
  );
};
