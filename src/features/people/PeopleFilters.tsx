import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { personStates } from '@contract/people/schemas';
import { instanceRoles } from '@contract/permissions';
import { FilterSelect } from '@/ui/FilterSelect';
import { SearchBox } from '@/ui/SearchBox';

export type RoleFilter = 'all' | (typeof instanceRoles)[number];
export type StateFilter = 'all' | (typeof personStates)[number];

type Props = {
  readonly q: string;
  readonly role: RoleFilter;
  readonly state: StateFilter;
  readonly onSearch: (q: string) => void;
  readonly onChange: (filter: { role?: RoleFilter; state?: StateFilter }) => void;
};

export function PeopleFilters({ q, role, state, onSearch, onChange }: Props): ReactElement {
  const { t } = useTranslation('people');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1.5 }}>
      <SearchBox label={t('list.search')} placeholder={t('list.searchPlaceholder')} value={q} onChange={onSearch} />
      <FilterSelect
        label={t('column.role')}
        value={role}
        choices={[{ value: 'all', label: t('list.anyRole') }, ...instanceRoles.map((one) => ({ value: one, label: t(`role.${one}`) }))]}
        onChoose={(next) => onChange({ role: instanceRoles.find((one) => one === next) ?? 'all' })}
      />
      <FilterSelect
        label={t('column.state')}
        value={state}
        choices={[{ value: 'all', label: t('list.anyState') }, ...personStates.map((one) => ({ value: one, label: t(`state.${one}`) }))]}
        onChoose={(next) => onChange({ state: personStates.find((one) => one === next) ?? 'all' })}
      />
    </Box>
  );
}
