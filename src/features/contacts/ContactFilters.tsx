import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { contactTopics } from '@contract/contacts/schemas';
import type { Contact, ContactTopic } from '@contract/contacts/schemas';
import { FilterSelect } from '@/ui/FilterSelect';
import { SearchBox } from '@/ui/SearchBox';
import { useContactHealthQuery } from './contactToolsApi';

export const mailStates = ['any', 'verified', 'unverified'] as const;
export type MailStateFilter = (typeof mailStates)[number];
export const topicFilters = ['any', ...contactTopics] as const;
export type ContactFilter = { readonly q: string; readonly topic: 'any' | ContactTopic; readonly state: MailStateFilter };

/** Whether a contact matches the filters; every word has to occur. `kinds`: its uses, as text. */
export function matchesFilter(contact: Contact, { q, topic, state }: ContactFilter, kinds: string): boolean {
  const all = [contact.name, contact.company, contact.email ?? '', contact.phone ?? '', contact.wechat, kinds].join('\n').toLowerCase();
  return (
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => all.includes(word)) &&
    (topic === 'any' || topic in contact.subscriptions) &&
    (state === 'any' || (contact.email !== null && (contact.emailVerifiedAt !== null) === (state === 'verified')))
  );
}

const stateLabels = { any: 'contacts.anyState', verified: 'contacts.onlyVerified', unverified: 'contacts.onlyUnverified' } as const;

/** Filters by search text, topic and state of the address. */
export function ContactFilters({
  filter,
  onSearch,
  onChange,
}: {
  readonly filter: ContactFilter;
  readonly onSearch: (q: string) => void;
  readonly onChange: (change: Partial<ContactFilter>) => void;
}): ReactElement {
  const { t } = useTranslation('contacts');
  const { data } = useContactHealthQuery();
  const topicLabel = (topic: ContactFilter['topic']): string => {
    if (topic === 'any') return t('contacts.anyTopic');
    return data?.unheard.includes(topic) ? t('contacts.unheardTopic', { topic: t(`topic.${topic}`) }) : t(`topic.${topic}`);
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1 }}>
      <SearchBox label={t('contacts.search')} placeholder={t('contacts.searchPlaceholder')} value={filter.q} onChange={onSearch} />
      <FilterSelect
        label={t('contacts.filterTopic')}
        value={filter.topic}
        choices={topicFilters.map((topic) => ({ value: topic, label: topicLabel(topic) }))}
        onChoose={(next) => onChange({ topic: topicFilters.find((one) => one === next) ?? 'any' })}
      />
      <FilterSelect
        label={t('contacts.filterState')}
        value={filter.state}
        choices={mailStates.map((state) => ({ value: state, label: t(stateLabels[state]) }))}
        onChoose={(next) => onChange({ state: mailStates.find((one) => one === next) ?? 'any' })}
      />
    </Box>
  );
}
