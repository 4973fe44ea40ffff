import { useTranslation } from 'react-i18next';
import { hookEvents } from '@contract/tables/webhooks';
import type { Hook, HookDelivery } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';

const eventWord = {
  'record.created': 'record_created',
  'record.updated': 'record_updated',
  'record.deleted': 'record_deleted',
  'record.restored': 'record_restored',
  'record.published': 'record_published',
  'record.unpublished': 'record_unpublished',
  test: 'test',
} as const;
const isEvent = (event: string): event is keyof typeof eventWord => Object.hasOwn(eventWord, event);

/** What webhooks and deliveries are called. */
export function useHookWords() {
  const { t } = useTranslation('tableHooks');
  const format = useFormat();
  const event = (name: string): string => (isEvent(name) ? t(`event.${eventWord[name]}`) : name);
  const tableName = (tables: readonly ContentTable[], id: string): string => tables.find((one) => one.id === id)?.title ?? t('goneTable');
  return {
    event,
    events: ({ events }: Pick<Hook, 'events'>): string =>
      events.length === hookEvents.length
        ? t('allEvents')
        : hookEvents
            .filter((one) => events.includes(one))
            .map(event)
            .join(t('comma')),
    tableName,
    tables: ({ tables: ids }: Pick<Hook, 'tables'>, tables: readonly ContentTable[]): string =>
      ids === null ? t('allTables') : ids.map((id) => tableName(tables, id)).join(t('comma')),
    /** Whether it is at work, in one sentence; `tone` for its colour. */
    state: ({
      enabled,
      off,
      failingSince,
    }: Pick<Hook, 'enabled' | 'off' | 'failingSince'>): { readonly text: string; readonly tone: 'good' | 'quiet' | 'bad' } => {
      if (!enabled) return off ? { text: t(`state.${off.reason}`), tone: 'bad' } : { text: t('state.off'), tone: 'quiet' };
      return failingSince === null
        ? { text: t('state.on'), tone: 'good' }
        : { text: t('state.troubled', { when: format.dateTime(failingSince) }), tone: 'bad' };
    },
    /** Why a delivery did not arrive; '' where it did. */
    fault: ({ fault, status, detail }: Pick<HookDelivery, 'fault' | 'status' | 'detail'>): string =>
      fault === null ? '' : t(`fault.${fault}`, { status: status ?? '', detail: detail === '' ? '?' : detail }),
  };
}
