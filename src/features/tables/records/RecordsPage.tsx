import { Suspense, useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { phone, useMedia } from '@/lib/useMedia';
import { useSearchState } from '@/lib/searchState';
import type { AppDispatch } from '@/store';
import { isFailure } from '@/lib/failure';
import { ResultState } from '@/ui/ResultState';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PlainButton } from '@/ui/PlainButton';
import { PageHeader } from '@/ui/PageHeader';
import { RowsSkeleton } from '@/ui/skeletons';
import { TablesSite } from '../parts/TablesSite';
import type { TablesChanged } from '../parts/TablesSite';
import { tablesApi, useViewsQuery } from '../tablesApi';
import { ImportWizard } from '../transfer/lazyDialogs';
import { address } from './address';
import type { Address, ChangeAddress } from './address';
import { NewTableDialog } from './lazyParts';
import { NoTables } from './NoTables';
import './records.css';
import { TablePane } from './TablePane';
import { TableWork } from './TableWork';

/** Finds a table by id, key or alias, as links may use any of them. */
const found = (tables: readonly ContentTable[], name: string): ContentTable | undefined =>
  name === '' ? tables[0] : tables.find(({ id, key, aliases }) => id === name || key === name || aliases.includes(name));

const Failed = ({ error, retry, retrying }: { readonly error: unknown; readonly retry: () => void; readonly retrying: boolean }): ReactElement => (
  <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />
);

/** One table with its views, once both are loaded. */
const Opened = ({
  site,
  tables,
  table,
  at,
  change,
  pane,
  onImport,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly at: Address;
  readonly change: ChangeAddress;
  readonly pane: ReactElement | null;
  readonly onImport: (file: File | null) => void;
}): ReactElement => {
  const views = useViewsQuery({ siteId: site.id, table: table.id });
  return (
    <ResultState
      result={views}
      skeleton={<RowsSkeleton rows={10} />}
      failed={(error, retry, retrying) => <Failed error={error} retry={retry} retrying={retrying} />}
    >
      {(list) => (
        <TableWork
          key={table.id}
          site={site}
          tables={tables}
          table={table}
          views={list.toSorted((a, b) => a.position - b.position)}
          at={at}
          changeAddress={change}
          pane={pane}
          onImport={onImport}
        />
      )}
    </ResultState>
  );
};

const Bench = ({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tables');
  const [at, change] = useSearchState(address);
  const [adding, setAdding] = useState(false);
  const [dropped, setDropped] = useState<File | null>(null);
  const onPhone = useMedia(phone);
  const mayDesign = mayOnSite(site.role, 'tables.design');
  const table = found(tables, at.table);
  const open = useCallback(
    (id: string) =>
      change({ table: id, view: '', q: '', filter: '', sort: '', group: '', record: '', lang: '', trash: false, day: '', import: '', step: '', export: false }),
    [change],
  );
  const fromFile = () => {
    setAdding(false);
    change({ import: 'table', step: '' });
  };
  const dialog = (
    <Suspense fallback={null}>
      {adding && (
        <NewTableDialog
          siteId={site.id}
          onClose={() => setAdding(false)}
          onMade={(createdTable) => {
            setAdding(false);
            open(createdTable.id);
          }}
          onFile={fromFile}
        />
      )}
      {at.import !== '' && (
        <ImportWizard
          site={site}
          tables={tables}
          current={table ?? null}
          at={at}
          change={change}
          dropped={dropped}
          onDroppedTaken={() => setDropped(null)}
          onShow={open}
        />
      )}
    </Suspense>
  );
  const importHere = (file: File | null): void => {
    setDropped(file);
    change({ import: 'new', step: '' });
  };
  const pane = <TablePane tables={tables} current={table?.id ?? null} mayDesign={mayDesign} onOpen={open} onAdd={() => setAdding(true)} />;
  return (
    <>
      {tables.length === 0 ? (
        <div className="tables-plain">
          <PageHeader title={t('title')} />
          <NoTables mayDesign={mayDesign} onAdd={() => setAdding(true)} onFile={fromFile} />
        </div>
      ) : (
        <div className="tables-bench">
          {!onPhone && pane}
          <div className="tables-work">
            {table ? (
              <Opened site={site} tables={tables} table={table} at={at} change={change} pane={onPhone ? pane : null} onImport={importHere} />
            ) : (
              <div className="tables-plain">
                <PageHeader title={t('title')} />
                <EmptyState title={t('tables.gone')} action={<PlainButton onClick={() => open('')}>{t('tables.toFirst')}</PlainButton>} />
              </div>
            )}
          </div>
        </div>
      )}
      {dialog}
    </>
  );
};

const refresh = (dispatch: AppDispatch, id: string, signal: TablesChanged): void =>
  void dispatch(
    tablesApi.util.invalidateTags([
      { type: 'Table', id },
      // A resync may concern any table.
      signal.type === 'tables' ? { type: 'TableView', id: signal.tableId } : 'TableView',
    ]),
  );

/** Records of a site's content tables; the complete state of the screen is in the URL. */
export const Component = (): ReactElement => <TablesSite refresh={refresh}>{(site, tables) => <Bench site={site} tables={tables} />}</TablesSite>;
