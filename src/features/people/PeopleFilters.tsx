import { Box, InputAdornment, NativeSelect, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { personStates } from '@contract/people/schemas';
import { instanceRoles } from '@contract/permissions';
import { SearchIcon } from '@/ui/SearchIcon';

export type RoleFilter = 'all' | (typeof instanceRoles)[number];
export type StateFilter = 'all' | (typeof personStates)[number];

type ChoiceProps<V extends string> = {
  readonly label: string;
  readonly value: V;
  readonly values: readonly V[];
  readonly nameOf: (value: V) => string;
  readonly onChange: (value: V) => void;
};

function Choice<V extends string>({ label, value, values, nameOf, onChange }: ChoiceProps<V>): ReactElement {
  return (
    <NativeSelect
      value={value}
      onChange={(event) => onChange(event.target.value as V)}
      input={<OutlinedInput size="small" />}
      inputProps={{ 'aria-label': label }}
      sx={{ flex: { xs: 1, sm: 'none' } }}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {nameOf(one)}
        </option>
      ))}
    </NativeSelect>
  );
}

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
      <OutlinedInput
        size="small"
        type="search"
        value={q}
        placeholder={t('list.searchPlaceholder')}
        onChange={(event) => onSearch(event.target.value)}
        startAdornment={
          <InputAdornment position="start">
            <SearchIcon />
          </InputAdornment>
        }
        slotProps={{ input: { 'aria-label': t('list.search'), maxLength: 100 } }}
        sx={{ width: { xs: 1, sm: 280 } }}
      />
      <Choice
        label={t('column.role')}
        value={role}
        values={['all', ...instanceRoles]}
        nameOf={(one) => (one === 'all' ? t('list.anyRole') : t(`role.${one}`))}
        onChange={(next) => onChange({ role: next })}
      />
      <Choice
        label={t('column.state')}
        value={state}
        values={['all', ...personStates]}
        nameOf={(one) => (one === 'all' ? t('list.anyState') : t(`state.${one}`))}
        onChange={(next) => onChange({ state: next })}
      />
    </Box>
  );
}
