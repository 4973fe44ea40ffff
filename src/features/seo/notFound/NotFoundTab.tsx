import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { NotFoundPath } from '@contract/seo/redirectSchemas';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { flag, oneOf, text, whole } from '@/lib/searchState';
import { useListAddress } from '@/lib/useListAddress';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { NoMatch } from '@/ui/list/NoMatch';
import { PagedList } from '@/ui/list/PagedList';
import { SearchBox } from '@/ui/SearchBox';
import { Tag } from '@/ui/Tag';
import type { Column } from '@/ui/tableColumns';
import { Toggles } from '@/ui/Toggles';
import { useChangeNotFoundMutation, useNotFoundPathsQuery } from '../redirects/redirectsApi';
import { RedirectPathDialog } from './RedirectPathDialog';

const visitors = ['people', 'bots'] as const;
const address = { q: text(), by: oneOf(visitors, 'people'), ignored: flag(), page: whole(1), size: whole(20, 1, 100) };

/** Letters instead of their escapes; the path as it is where they are not valid. */
function readable(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function useColumns(site: Site): readonly Column<NotFoundPath>[] {
  const { t } = useTranslation('seo');
  const format = useFormat();
  return [
    {
      id: 'path',
      name: t('notFound.path'),
      fills: true,
      cell: ({ path }) => (
        <code className="seo-path" title={readable(path)}>
          {readable(path)}
        </code>
      ),
    },
    { id: 'people', name: t('notFound.people'), hint: t('notFound.peopleHint'), numeric: true, cell: ({ people }) => format.number(people) },
    { id: 'bots', name: t('notFound.bots'), hint: t('notFound.botsHint'), numeric: true, cell: ({ bots }) => format.number(bots) },
    { id: 'last', name: t('notFound.last'), minWidth: 140, cell: ({ lastAt }) => format.dateTime(lastAt, { timeZone: site.timeZone }) },
    { id: 'referrer', name: t('notFound.referrer'), hint: t('notFound.referrerHint'), minWidth: 160, cell: ({ referrer }) => referrer || '–' },
    {
      id: 'suggestion',
      name: t('notFound.suggestion'),
      minWidth: 160,
      cell: ({ suggestion, redirected }) => {
        if (redirected) return <Tag tone="good">{t('notFound.hasRedirect')}</Tag>;
        return suggestion ? <span title={suggestion.path}>{suggestion.title || suggestion.path}</span> : '–';
      },
    },
  ];
}

/** Addresses that visitors requested in vain: redirect them, or ignore them. */
export default function NotFoundTab({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('seo');
  const { state, filter, search, paging, isFiltered, clear } = useListAddress(address, ['q', 'ignored']);
  const [open, setOpen] = useState<NotFoundPath | null>(null);
  const [change] = useChangeNotFoundMutation();
  const columns = useColumns(site);
  const query = { siteId: site.id, page: state.page, size: state.size, by: state.by, ignored: state.ignored ? ('true' as const) : ('false' as const) };
  const result = useNotFoundPathsQuery({ ...query, ...(state.q.trim() === '' ? {} : { q: state.q.trim() }) }, { refetchOnMountOrArgChange: true });
  const ignore = (row: NotFoundPath): void => void change({ siteId: site.id, body: { paths: [row.path], ignored: !row.ignored } });
  const actions = (row: NotFoundPath): ReactElement => (
    <>
      {mayOnSite(site.role, 'site.compose') && (
        <Button size="small" aria-label={t('notFound.redirectOf', { path: row.path })} onClick={() => setOpen(row)}>
          {t('notFound.redirect')}
        </Button>
      )}
      {mayOnSite(site.role, 'site.publish') && (
        <Button size="small" aria-label={t(row.ignored ? 'notFound.listOf' : 'notFound.ignoreOf', { path: row.path })} onClick={() => ignore(row)}>
          {t(row.ignored ? 'notFound.list' : 'notFound.ignore')}
        </Button>
      )}
    </>
  );
  return (
    <>
      <div className="seo-filters">
        <SearchBox label={t('notFound.find')} {...search} maxLength={200} />
        <Toggles
          label={t('notFound.requestedBy')}
          value={state.by}
          choices={visitors.map((value) => ({ value, label: t(`notFound.${value}`) }))}
          onChoose={(by) => filter({ by })}
        />
        <Toggles
          label={t('notFound.which')}
          value={state.ignored ? 'ignored' : 'open'}
          choices={(['open', 'ignored'] as const).map((value) => ({ value, label: t(`notFound.show.${value}`) }))}
          onChoose={(value) => filter({ ignored: value === 'ignored' })}
        />
      </div>
      <PagedList
        result={result}
        paging={paging}
        empty={
          isFiltered ? (
            <NoMatch title={t('notFound.noMatch')} onClear={clear} />
          ) : (
            <EmptyState ghost="rows" title={t('notFound.none')}>
              {t('notFound.noneText')}
            </EmptyState>
          )
        }
      >
        {(rows) => <DataTable label={t('tabs.notFound')} columns={columns} rows={rows} rowKey={({ path }) => path} actions={actions} />}
      </PagedList>
      {open && <RedirectPathDialog siteId={site.id} row={open} onClose={() => setOpen(null)} />}
    </>
  );
}
