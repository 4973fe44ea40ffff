import { Box, Button } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { auditResults } from '@contract/audit/schemas';
import { selectSites } from '@/features/sites/sitesSlice';
import { addDays } from '@/lib/days';
import { useAppSelector } from '@/store/hooks';
import { DateRangeField } from '@/ui/DateRangeField';
import { FilterSelect } from '@/ui/FilterSelect';
import { SearchBox } from '@/ui/SearchBox';
import { groups, rangesOf, retentionDays } from './useAuditFilters';
import type { AuditFiltering } from './useAuditFilters';

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

/** What was done, with which result, on which site. A single action, as in links, is a choice only while it is chosen. */
function SubjectFilters({ filtering: { action, result, site, change } }: Props): ReactElement {
  const { t } = useTranslation('audit');
  const sites = useAppSelector(selectSites);
  return (
    <>
      <FilterSelect
        label={t('filter.group')}
        value={action ?? ''}
        choices={[{ value: '', label: t('filter.anyGroup') }, ...groups.map((one) => ({ value: one, label: t(`group.${one}`) }))]}
        onChoose={(next) => change({ action: next })}
      />
      <FilterSelect
        label={t('filter.result')}
        value={result}
        choices={[{ value: 'all', label: t('filter.anyResult') }, ...auditResults.map((one) => ({ value: one, label: t(`result.${one}`) }))]}
        onChoose={(next) => change({ result: auditResults.find((one) => one === next) ?? 'all' })}
      />
      <FilterSelect
        label={t('filter.site')}
        value={site}
        choices={[{ value: '', label: t('filter.anySite') }, ...sites.map((one) => ({ value: one.id, label: one.name }))]}
        onChoose={(next) => change({ site: next })}
      />
    </>
  );
}

/** All filters of the log in one row, followed by `children`. */
export function AuditFilterBar({ filtering, actorName, children }: Props & { readonly actorName: () => string; readonly children: ReactNode }): ReactElement {
  const { t } = useTranslation('audit');
  const { search, actor, change } = filtering;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1.5 }}>
      <DaysFilter filtering={filtering} />
      <SubjectFilters filtering={filtering} />
      <Box sx={{ flex: { xs: '1 0 100%', sm: '1 1 180px' }, maxWidth: { sm: 260 }, '& > *': { maxWidth: 1 } }}>
        <SearchBox label={t('filter.search')} placeholder={t('filter.searchPlaceholder')} value={search.value} onChange={search.onChange} />
      </Box>
      {actor !== '' && (
        <Button variant="outlined" onClick={() => change({ actor: '' })} endIcon={<span aria-hidden="true">×</span>}>
          {t('filter.actorOnly', { name: actorName() })}
        </Button>
      )}
      {children}
    </Box>
  );
}
