import { Button, Tooltip } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import type { CrawlIssueGroup } from '@contract/crawler/inventorySchemas';
import { issueLists } from '@contract/crawler/inventoryTerms';
import { severities } from '@contract/crawler/terms';
import type { Severity } from '@contract/crawler/terms';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { oneOf, text } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { EmptyState } from '@/ui/EmptyState';
import { FilterSelect } from '@/ui/FilterSelect';
import { ListContent } from '@/ui/list/ListContent';
import { NoMatch } from '@/ui/list/NoMatch';
import { SearchBox } from '@/ui/SearchBox';
import { Toggles } from '@/ui/Toggles';
import { AuditAgain } from './issues/AuditAgain';
import { IgnoreDialog } from './issues/IgnoreDialog';
import { IssueRows } from './issues/IssueRows';
import { useIssueChange } from './issues/useIssueChange';
import { useCrawlIssueGroupsQuery, useCrawlIssuesInfiniteQuery } from './inventoryApi';
import { MoreRows } from './MoreRows';
import { PageLink, SeverityTag } from './parts';
import { PageInspector } from './pages/PageInspector';
import type { RunProps } from './run';
import { useRuleTexts } from '../rules/useRuleTexts';
import { useRunRights } from './useRunRights';
import './inventory.css';

const address = {
  list: oneOf(issueLists, 'found'),
  by: oneOf(['rule', 'template'], 'rule'),
  severity: text('', 10),
  q: text(),
  open: text('', 150),
};
type Filter = { readonly list: (typeof issueLists)[number]; readonly severity?: Severity; readonly q?: string };
type GroupProps = RunProps & {
  readonly group: CrawlIssueGroup;
  readonly filter: Filter;
  readonly by: 'rule' | 'template';
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly site: Site | undefined;
  readonly mayChange: boolean;
};

/** The issues of one group. */
function GroupContent({ crawlerId, runId, group, filter, by, site, mayChange }: GroupProps): ReactElement {
  const { t } = useTranslation('inventory');
  const texts = useRuleTexts();
  const result = useCrawlIssuesInfiniteQuery({
    crawlRunId: runId,
    ...filter,
    rule: group.rule,
    ...(by === 'template' ? { template: group.template ?? '' } : {}),
  });
  return (
    <div className="inventory-group">
      <p>{texts.text(group.rule, 'why')}</p>
      <p>{texts.text(group.rule, 'fix')}</p>
      <MoreRows result={result} empty={<p className="inventory-quiet">{t('issue.none')}</p>}>
        {(rows) => <IssueRows rows={rows} crawlerId={crawlerId} site={site} mayChange={mayChange} />}
      </MoreRows>
    </div>
  );
}

function Group(props: GroupProps): ReactElement {
  const { crawlerId, runId, group, filter, by, isOpen, onOpen, mayChange } = props;
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const texts = useRuleTexts();
  const [ignoring, setIgnoring] = useState(false);
  const { change, busy } = useIssueChange(crawlerId);
  const select = { runId, rule: group.rule, ...(by === 'template' ? { template: group.template } : {}) };
  const name = texts.text(group.rule, 'name');
  const pages = t('issue.pages', { count: group.pages, countText: format.number(group.pages) });
  const extent =
    group.rule === 'vitals_poor'
      ? t('issue.count', { count: group.issues, countText: format.number(group.issues) })
      : group.pages === 0
        ? t('issue.wholeSite')
        : group.templates === 0
          ? pages
          : t('issue.extent', { templates: t('issue.templates', { count: group.templates, countText: format.number(group.templates) }), pages });
  return (
    <li>
      <div className="inventory-row">
        <button type="button" className="inventory-open" aria-expanded={isOpen} onClick={onOpen}>
          {name}
        </button>
        <span className="inventory-row-main">
          <span className="inventory-quiet">{extent}</span>
          {by === 'template' && group.example && <PageLink page={group.example} />}
        </span>
        <span className="inventory-chips">
          <SeverityTag severity={group.severity} />
          {group.new > 0 && filter.list === 'found' && <span className="inventory-quiet">{t('issue.newCount', { countText: format.number(group.new) })}</span>}
        </span>
        <Tooltip describeChild title={t('issue.impactHint')}>
          <span className="inventory-impact">
            {t('issue.impact', { impact: format.compact(group.impact < 10 ? Math.round(group.impact * 10) / 10 : Math.round(group.impact)) })}
          </span>
        </Tooltip>
        <span className="inventory-actions">
          {mayChange && filter.list === 'ignored' && (
            <Button size="small" disabled={busy} onClick={() => void change({ change: 'reopen', select })} aria-label={t('issue.reopenAllOf', { name })}>
              {t('issue.reopenAll')}
            </Button>
          )}
          {mayChange && filter.list !== 'ignored' && filter.list !== 'fixed' && (
            <Button size="small" disabled={busy} onClick={() => setIgnoring(true)} aria-label={t('issue.ignoreAllOf', { name })}>
              {t('issue.ignoreAll')}
            </Button>
          )}
        </span>
      </div>
      {isOpen && <GroupContent {...props} />}
      {ignoring && <IgnoreDialog crawlerId={crawlerId} select={select} count={group.issues} onClose={() => setIgnoring(false)} />}
    </li>
  );
}

const keyOf = ({ rule, template }: CrawlIssueGroup): string => `${rule}~${template ?? ''}`;

/** Issues of a run by impact, in groups that open. */
export function IssuesTab({ crawlerId, runId }: RunProps): ReactElement {
  const { t } = useTranslation('inventory');
  const format = useFormat();
  const [params] = useSearchParams();
  const { state, filter: narrow, change, search, isFiltered, clear } = useListAddress(address, ['severity', 'q']);
  const severity = severities.find((one) => one === state.severity);
  const filter: Filter = { list: state.list, ...(severity === undefined ? {} : { severity }), ...(state.q === '' ? {} : { q: state.q }) };
  const result = useCrawlIssueGroupsQuery({ crawlRunId: runId, by: state.by, ...filter });
  const { isAudited, ...rights } = useRunRights(runId);
  const counts = result.data?.counts;
  const listName = (list: Filter['list']): string =>
    counts === undefined ? t(`list.${list}`) : t('list.counted', { list: t(`list.${list}`), countText: format.number(counts[list] ?? 0) });
  return (
    <>
      <div className="inventory-filters">
        <Toggles
          label={t('issue.list')}
          value={state.list}
          choices={issueLists.map((value) => ({ value, label: listName(value) }))}
          onChoose={(list) => narrow({ list, open: '' })}
        />
        <SearchBox label={t('filter.search')} {...search} />
        <FilterSelect
          label={t('issue.severity')}
          value={state.severity}
          choices={[{ value: '', label: t('issue.anySeverity') }, ...severities.map((value) => ({ value, label: t(`severity.${value}`) }))]}
          onChoose={(value) => narrow({ severity: value })}
        />
        <Toggles
          label={t('issue.by')}
          value={state.by}
          choices={(['rule', 'template'] as const).map((value) => ({ value, label: t(`issue.by${value === 'rule' ? 'Rule' : 'Template'}`) }))}
          onChoose={(by) => narrow({ by, open: '' })}
        />
        {rights.mayChange && <AuditAgain runId={runId} />}
      </div>
      <ListContent
        result={result}
        rowsOf={({ rows }) => rows}
        empty={
          isFiltered ? (
            <NoMatch title={t('issue.noMatch')} onClear={clear} />
          ) : (
            <EmptyState ghost="rows" title={t(isAudited ? `issue.empty.${state.list}` : 'issue.going')}>
              {t(isAudited ? 'issue.emptyText' : 'issue.goingText')}
            </EmptyState>
          )
        }
      >
        {(rows) => (
          <ul className="inventory-rows" aria-label={t('tab.issues')}>
            {rows.map((group) => (
              <Group
                key={keyOf(group)}
                crawlerId={crawlerId}
                runId={runId}
                group={group}
                filter={filter}
                by={state.by}
                isOpen={state.open === keyOf(group)}
                onOpen={() => change({ open: state.open === keyOf(group) ? '' : keyOf(group) }, 'replace')}
                {...rights}
              />
            ))}
          </ul>
        )}
      </ListContent>
      {params.has('page') && <PageInspector crawlerId={crawlerId} runId={runId} />}
    </>
  );
}
