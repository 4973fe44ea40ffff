import { useTranslation } from 'react-i18next';
import { webhookEvents } from '@contract/tables/webhooks';
import type { Webhook, WebhookDelivery } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';

const eventKey = {
  'record.created': 'record_created',
  'record.updated': 'record_updated',
  'record.deleted': 'record_deleted',
  'record.restored': 'record_restored',
  'record.published': 'record_published',
  'record.unpublished': 'record_unpublished',
  test: 'test',
} as const;
const isEvent = (event: string): event is keyof typeof eventKey => Object.hasOwn(eventKey, event);

/** The labels of webhooks and deliveries: events, tables, states and errors. */
export function useWebhookLabels() {
  const { t } = useTranslation('tableHooks');
  const format = useFormat();
  const event = (name: string): string => (isEvent(name) ? t(`event.${eventKey[name]}`) : name);
  const tableName = (tables: readonly ContentTable[], id: string): string => tables.find((one) => one.id === id)?.title ?? t('goneTable');
  const eventList = ({ events }: Pick<Webhook, 'events'>): string =>
    events.length === webhookEvents.length
      ? t('allEvents')
      : webhookEvents
          .filter((one) => events.includes(one))
          .map(event)
          .join(t('comma'));
  const tableList = ({ tables: ids }: Pick<Webhook, 'tables'>, tables: readonly ContentTable[]): string =>
    ids === null ? t('allTables') : ids.map((id) => tableName(tables, id)).join(t('comma'));
  /** Why a delivery failed; '' where it succeeded. */
  const error = ({ error: reason, status, detail }: Pick<WebhookDelivery, 'error' | 'status' | 'detail'>): string =>
    reason === null ? '' : t(`errors.${reason}`, { status: status ?? '', detail: detail === '' ? '?' : detail });
  return {
    event,
    tableName,
    /** Which tables and events a webhook covers, and whether it has conditions. */
    scope: (hook: Pick<Webhook, 'events' | 'tables' | 'filter'>, tables: readonly ContentTable[]): string =>
      [tableList(hook, tables), eventList(hook), ...(hook.filter === null ? [] : [t('filtered')])].join(' · '),
    /** The state of a webhook in one sentence; `tone` for its colour. */
    state: ({
      enabled,
      off,
      failingSince,
    }: Pick<Webhook, 'enabled' | 'off' | 'failingSince'>): { readonly text: string; readonly tone: 'good' | 'quiet' | 'bad' } => {
      if (!enabled) return off ? { text: t(`state.${off.reason}`), tone: 'bad' } : { text: t('state.off'), tone: 'quiet' };
      return failingSince === null
        ? { text: t('state.on'), tone: 'good' }
        : { text: t('state.troubled', { when: format.dateTime(failingSince) }), tone: 'bad' };
    },
    /** The HTTP result of a delivery: its state and status, or why it failed. */
    result: (row: Pick<WebhookDelivery, 'state' | 'error' | 'status' | 'detail'>): string =>
      row.error === null ? `${t(`log.states.${row.state}`)}${row.status === null ? '' : ` · ${row.status}`}` : error(row),
    error,
  };
}
