import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { keywordDimensions, keywordEngines } from '@contract/imports/keywordTerms';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { addDays } from '@/lib/days';
import { useToday } from '@/lib/useToday';
import { href } from '@/routes/paths';
import { DateRangeField } from '@/ui/DateRangeField';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { NoMatch } from '@/ui/list/NoMatch';
import { PagedList } from '@/ui/list/PagedList';
import { SearchBox } from '@/ui/SearchBox';
import { Section } from '@/ui/Section';
import { KeywordTable } from './KeywordTable';
import { type KeywordList, lengths, useKeywords } from './useKeywords';

type Props = { readonly site: Site; readonly list: KeywordList };

/** Days, search text, grouping, engine and page. */
function Filters({ site, list }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const { state, days, filter, search } = list;
  const today = useToday(site.timeZone);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 2 }}>
      <SearchBox label={t(`keywords.search.${state.by}`)} value={search.value} onChange={search.onChange} />
      <FilterSelect
        label={t('keywords.by')}
        value={state.by}
        choices={keywordDimensions.map((value) => ({ value, label: t(`keywords.dimension.${value}`) }))}
        onChoose={(next) => filter({ by: next === 'page' ? 'page' : 'query' })}
      />
      <FilterSelect
        label={t('keywords.engine')}
        value={state.engine}
        choices={[{ value: 'all', label: t('keywords.anyEngine') }, ...keywordEngines.map((value) => ({ value, label: t(`keywords.engines.${value}`) }))]}
        onChoose={(next) => filter({ engine: keywordEngines.find((one) => one === next) ?? 'all' })}
      />
      <DateRangeField
        label={t('keywords.days')}
        chosen={list.length}
        value={days}
        choices={lengths.map((count) => ({ id: String(count), name: t('keywords.lastDays', { count }), from: addDays(today, 1 - count), to: today }))}
        min="2000-01-01"
        max={today}
        onChoose={(id) => filter({ from: addDays(today, 1 - Number(id)), to: today })}
        onRange={filter}
      />
      {state.landing !== '' && (
        <Button size="small" variant="outlined" onClick={() => filter({ landing: '' })} sx={{ maxWidth: '100%', overflowWrap: 'anywhere' }}>
          {t('keywords.onlyPage', { page: state.landing })}
        </Button>
      )}
    </Box>
  );
}

/** Why there is nothing: nothing imported, nothing in these days, or nothing that matches. */
function Nothing({ site, list }: Props): ReactElement {
  const { t } = useTranslation('seo');
  const imported = list.result.data?.imported ?? [];
  const imports = (
    <Button variant="outlined" component={Link} to={href('site.setting.imports', { siteId: site.id })}>
      {t('keywords.import')}
    </Button>
  );
  if (imported.length === 0)
    return (
      <EmptyState ghost="rows" title={t('keywords.empty')} action={mayOnSite(site.role, 'analytics.configure') && imports}>
        {t('keywords.emptyText')}
      </EmptyState>
    );
  if (list.result.data?.coverage.length !== 0) return <NoMatch title={t('keywords.noMatch')} onClear={list.clear} />;
  const [latest] = imported.toSorted((a, b) => (a.to < b.to ? 1 : -1));
  const show = latest && (
    <Button variant="outlined" onClick={() => list.filter({ from: latest.from, to: latest.to })}>
      {t('keywords.showImported', { from: latest.from, to: latest.to })}
    </Button>
  );
  return (
    <EmptyState kind="noMatch" title={t('keywords.outside')} action={show}>
      {t('keywords.outsideText')}
    </EmptyState>
  );
}

/** Keywords as search engines report them, with the pages that they lead to and the visits that were measured. */
export default function KeywordsTab({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('seo');
  const list = useKeywords(site);
  return (
    <Section
      title={t('tabs.keywords')}
      note={t('keywords.lead')}
      actions={
        mayOnSite(site.role, 'analytics.configure') && (
          <Button variant="outlined" component={Link} to={href('site.setting.imports', { siteId: site.id })}>
            {t('keywords.import')}
          </Button>
        )
      }
    >
      <Filters site={site} list={list} />
      <PagedList result={list.result} paging={list.paging} empty={<Nothing site={site} list={list} />}>
        {(_rows, report) => <KeywordTable list={list} report={report} />}
      </PagedList>
    </Section>
  );
}
