import Search from '@mui/icons-material/SearchOutlined';
import { Box, InputAdornment, NativeSelect, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { contactTopics } from '@contract/contacts/schemas';
import type { Contact, ContactTopic } from '@contract/contacts/schemas';
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
  const select = { height: 32, flex: { xs: '1 1 0', sm: 'none' }, minWidth: 0, '& select.MuiNativeSelect-select': { py: 0.5, fontSize: 14 } } as const;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1 }}>
      <OutlinedInput
        size="small"
        type="search"
        value={filter.q}
        placeholder={t('contacts.searchPlaceholder')}
        onChange={(event) => onSearch(event.target.value)}
        startAdornment={
          <InputAdornment position="start">
            <Search sx={{ fontSize: 18 }} />
          </InputAdornment>
        }
        slotProps={{ input: { 'aria-label': t('contacts.search'), maxLength: 200 } }}
        sx={{ height: 32, width: { xs: '100%', sm: 300 } }}
      />
      <NativeSelect
        value={filter.topic}
        onChange={(event) => onChange({ topic: event.target.value as ContactFilter['topic'] })}
        input={<OutlinedInput size="small" sx={select} />}
        inputProps={{ 'aria-label': t('contacts.filterTopic') }}
      >
        {topicFilters.map((topic) => (
          <option key={topic} value={topic}>
            {topic === 'any'
              ? t('contacts.anyTopic')
              : data?.unheard.includes(topic)
                ? t('contacts.unheardTopic', { topic: t(`topic.${topic}`) })
                : t(`topic.${topic}`)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        value={filter.state}
        onChange={(event) => onChange({ state: event.target.value as MailStateFilter })}
        input={<OutlinedInput size="small" sx={select} />}
        inputProps={{ 'aria-label': t('contacts.filterState') }}
      >
        <option value="any">{t('contacts.anyState')}</option>
        <option value="verified">{t('contacts.onlyVerified')}</option>
        <option value="unverified">{t('contacts.onlyUnverified')}</option>
      </NativeSelect>
    </Box>
  );
}
