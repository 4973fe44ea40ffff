import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ComparedPage, RunComparison } from '@contract/crawler/inventorySchemas';
import { comparedFields, pageChanges } from '@contract/crawler/inventoryTerms';
import { indexReasons } from '@contract/crawler/terms';
import { useFormat } from '@/lib/format';
import { oneOf, text } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { KeyFigure } from '@/ui/KeyFigure';
import { NoMatch } from '@/ui/list/NoMatch';
import { ResultState } from '@/ui/ResultState';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { Tag } from '@/ui/Tag';
import { useCompareCrawlRunsQuery, useComparedCrawlPagesInfiniteQuery, useCrawledSiteQuery } from './inventoryApi';
import { MoreRows } from './MoreRows';
import { PageLink, SeverityTag } from './parts';
import { PageInspector } from './pages/PageInspector';
import type { RunProps } from './run';
import { useRuleTexts } from '../rules/useRuleTexts';
import { useRunRights } from './useRunRights';
import './inventory.css';

const address = { with: text('', 36), change: oneOf(['', ...pageChanges], ''), field: oneOf(['', ...comparedFields], '') };
const changeTone = { added: 'good', removed: 'bad', changed: 'info' } as const;

function ChangeRow({ page }: { readonly page: ComparedPage }): ReactElement {
  const { t } = useTranslation('inventory');
  const textOf = (field: (typeof comparedFields)[number], value: string): string => {
    if (field === 'sitemap') return t(value === 'true' ? 'yes' : 'no');
    const reason = indexReasons.find((one) => field === 'indexing' && one === value);
    if (reason !== undefined) return t(`indexing.${reason}`);
    return value === '' ? t('compare.empty') : value;
  };
  return (
    <li>
      <div className="inventory-row">
        <Tag tone={changeTone[page.change]}>{t(`compare.${page.change}`)}</Tag>
        <span className="inventory-row-main">
          <PageLink page={page} />
        </span>
      </div>
      {page.fields.length > 0 && (
        <dl className="inspector-facts">
          {page.fields.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{t(`field.${field}`)}</dt>
              <dd dir="auto">
                {field === 'content' ? (
                  t('compare.contentChanged')
                ) : (
                  <>
                    <del>{textOf(field, before)}</del> → <ins>{textOf(field, after)}</ins>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function RuleCounts({ title, rows, empty }: { readonly title: string; readonly rows: RunComparison['newIssues']; readonly empty: string }): ReactElement {
  const format = useFormat();
  const texts = useRuleTexts();
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <p className="inventory-quiet">{empty}</p>
      ) : (
        <ul className="inventory-rows" aria-label={title}>
          {rows.map(({ rule, severity, issues }) => (
            <li key={rule}>
              <div className="inventory-row">
                <span className="inventory-row-main">{texts.text(rule, 'name')}</span>
                <SeverityTag severity={severity} />
                <span className="inventory-number">{format.number(issues)}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Pages({ runId, otherId, comparison }: { readonly runId: string; readonly otherId: string; readonly comparison: RunComparison }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const { state, filter, isFiltered, clear } = useListAddress(address, ['change', 'field']);
  const result = useComparedCrawlPagesInfiniteQuery({
    crawlRunId: runId,
    otherId,
    ...(state.change === '' ? {} : { change: state.change }),
    ...(state.field === '' ? {} : { field: state.field }),
  });
  const counted = (name: string, count: number): string => t('list.counted', { list: name, countText: format.number(count) });
  return (
    <Section title={t('compare.pages')}>
      <div className="inventory-filters">
        <FilterSelect
          label={t('compare.change')}
          value={state.change}
          choices={[
            { value: '', label: t('compare.anyChange') },
            ...pageChanges.map((value) => ({ value, label: counted(t(`compare.${value}`), comparison[value]) })),
          ]}
          onChoose={(change) => filter({ change: pageChanges.find((one) => one === change) ?? '' })}
        />
        <FilterSelect
          label={t('compare.field')}
          value={state.field}
          choices={[
            { value: '', label: t('compare.anyField') },
            ...comparison.fields.map(({ field, pages }) => ({ value: field, label: counted(t(`field.${field}`), pages) })),
          ]}
          onChoose={(field) => filter({ field: comparedFields.find((one) => one === field) ?? '' })}
        />
      </div>
      <MoreRows
        result={result}
        empty={
          isFiltered ? (
            <NoMatch title={t('compare.noMatch')} onClear={clear} />
          ) : (
            <EmptyState ghost="rows" title={t('compare.same')}>
              {t('compare.sameText')}
            </EmptyState>
          )
        }
      >
        {(rows) => (
          <ul className="inventory-rows" aria-label={t('compare.pages')}>
            {rows.map((page) => (
              <ChangeRow key={page.urlId} page={page} />
            ))}
          </ul>
        )}
      </MoreRows>
    </Section>
  );
}

function Comparison({ runId, otherId }: { readonly runId: string; readonly otherId: string }): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const result = useCompareCrawlRunsQuery({ crawlRunId: runId, otherId });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(comparison) => (
        <>
          <div className="inventory-figures">
            {pageChanges.map((change) => (
              <KeyFigure key={change} name={t(`compare.${change}Pages`)} value={format.number(comparison[change])} />
            ))}
            <KeyFigure name={t('compare.newIssues')} value={format.number(comparison.newIssues.reduce((sum, { issues }) => sum + issues, 0))} />
            <KeyFigure name={t('compare.fixedIssues')} value={format.number(comparison.fixedIssues.reduce((sum, { issues }) => sum + issues, 0))} />
          </div>
          <Pages runId={runId} otherId={otherId} comparison={comparison} />
          <RuleCounts title={t('compare.newIssues')} rows={comparison.newIssues} empty={t('compare.noNew')} />
          <RuleCounts title={t('compare.fixedIssues')} rows={comparison.fixedIssues} empty={t('compare.noFixed')} />
        </>
      )}
    </ResultState>
  );
}

/** A run beside another one of the site: by default the one before it of the same crawler. */
export function CompareTab({ crawlerId, runId }: RunProps): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const { state, change } = useListAddress(address);
  const { site } = useRunRights(runId);
  const result = useCrawledSiteQuery({ siteId: site?.id ?? '' }, { skip: site === undefined });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
      {({ runs }) => {
        const others = runs.filter(({ id }) => id !== runId);
        const at = runs.findIndex(({ id }) => id === runId);
        const usual = runs.slice(at + 1).find((run) => run.crawlerId === crawlerId) ?? others[0];
        const other = others.find(({ id }) => id === state.with) ?? usual;
        if (other === undefined)
          return (
            <EmptyState ghost="rows" title={t('compare.none')}>
              {t('compare.noneText')}
            </EmptyState>
          );
        return (
          <>
            <div className="inventory-filters">
              <FilterSelect
                label={t('compare.with')}
                value={other.id}
                choices={others.map(({ id, crawlerName, number, createdAt }) => ({
                  value: id,
                  label: t('compare.withRun', { run: t('run.name', { crawler: crawlerName, number }), date: format.date(createdAt, { weekday: false }) }),
                }))}
                onChoose={(next) => change({ with: next, change: '', field: '' })}
              />
            </div>
            <Comparison key={other.id} runId={runId} otherId={other.id} />
            <PageInspector crawlerId={crawlerId} runId={runId} />
          </>
        );
      }}
    </ResultState>
  );
}
