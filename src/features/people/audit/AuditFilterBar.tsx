import { Box, Button, NativeSelect, OutlinedInput } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { auditResults } from '@contract/audit/schemas';
import { selectSites } from '@/features/sites/sitesSlice';
import { addDays } from '@/lib/days';
import { useAppSelector } from '@/store/hooks';
import { DateRangeField } from '@/ui/DateRangeField';
import { groups, rangesOf, retentionDays } from './useAuditFilters';
import type { AuditFiltering } from './useAuditFilters';

type SelectProps = {
  readonly label: string;
  readonly value: string;
  /** Values and their names. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
};

const FilterSelect = ({ label, value, options, onChoose }: SelectProps): ReactElement => (
  <NativeSelect
    value={value}
    onChange={(event) => onChoose(event.target.value)}
    input={<OutlinedInput size="small" />}
    inputProps={{ 'aria-label': label }}
    sx={{ maxWidth: { xs: 'none', sm: 180 }, flex: { xs: '1 1 40%', sm: 'none' } }}
  >
    {options.map(([id, name]) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </NativeSelect>
);

type Props = { readonly filtering: AuditFiltering };

function DaysFilter({ filtering: { days, range, today, zone, change, chooseRange } }: Props): ReactElement {
  const { t } = useTranslation('audit');
  return (
    <DateRangeField
      label={t('filter.days')}
      chosen={range}
      value={days}
      choices={rangesOf(today).map((one) => ({ ...one, name: t(`range.${one.id}`) }))}
      min={addDays(today, 1 - retentionDays)}
      max={today}
      onChoose={chooseRange}
      onRange={({ from, to }) => change({ range: 'custom', from, to })}
    >
      {t('range.zone', { zone })}
    </DateRangeField>
  );
}

/** What was done, with which result, on which site. A single action, as in links, is among the choices while it is chosen. */
function SubjectFilters({ filtering: { action, result, site, change } }: Props): ReactElement {
  const { t } = useTranslation('audit');
  const sites = useAppSelector(selectSites);
  return (
    <>
      <FilterSelect
        label={t('filter.group')}
        value={action ?? ''}
        options={[
          ['', t('filter.anyGroup')],
          ...groups.map((one) => [one, t(`group.${one}`)] as const),
          ...(action !== undefined && action.includes('.') ? [[action, action] as const] : []),
        ]}
        onChoose={(next) => change({ action: next })}
      />
      <FilterSelect
        label={t('filter.result')}
        value={result}
        options={[['all', t('filter.anyResult')], ...auditResults.map((one) => [one, t(`result.${one}`)] as const)]}
        onChoose={(next) => change({ result: auditResults.find((one) => one === next) ?? 'all' })}
      />
      <FilterSelect
        label={t('filter.site')}
        value={site}
        options={[['', t('filter.anySite')], ...sites.map((one) => [one.id, one.name] as const)]}
        onChoose={(next) => change({ site: next })}
      />
    </>
  );
}

/** All filters of the log in one row, followed by `children`. */
export function AuditFilterBar({ filtering, actorName, children }: Props & { readonly actorName: () => string; readonly children: ReactNode }): ReactElement {
  const { t } = useTranslation('audit');
  const { q, setQ, actor, change } = filtering;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1.5 }}>
      <DaysFilter filtering={filtering} />
      <SubjectFilters filtering={filtering} />
      <OutlinedInput
        size="small"
        type="search"
        value={q}
        placeholder={t('filter.searchPlaceholder')}
        onChange={(event) => setQ(event.target.value)}
        slotProps={{ input: { 'aria-label': t('filter.search'), maxLength: 100 } }}
        sx={{ width: { xs: 1, sm: 220 } }}
      />
      {actor !== '' && (
        <Button variant="outlined" onClick={() => change({ actor: '' })} endIcon={<span aria-hidden="true">×</span>}>
          {t('filter.actorOnly', { name: actorName() })}
        </Button>
      )}
      {children}
    </Box>
  );
}
