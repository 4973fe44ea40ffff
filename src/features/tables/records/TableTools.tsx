import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { Icon } from '@/ui/Icon';
import { BulkBar } from './BulkBar';
import type { emptyGroup } from './filterModel';
import { PublishAll } from './PublishAll';
import { Toolbar } from './Toolbar';
import type { RecordTarget } from './useRecordActions';
import { noChosenRecords } from './useTableWork';
import type { TableWorkState } from './useTableWork';
import { ViewTabs } from './ViewTabs';

/** The name of the table, with its views or a label that the bin is open. */
export const TableHead = ({ work }: { readonly work: TableWorkState }): ReactElement => {
  const { site, table, views, at, changeAddress, pane, activeView, designs } = work;
  const { t } = useTranslation('tables');
  return (
    <header className="tables-head">
      {pane}
      <h1 tabIndex={-1} data-page-heading="" className={pane ? 'only-read' : ''}>
        {table.title}
      </h1>
      {at.trash ? (
        <b className="tables-bin">{t('tool.bin')}</b>
      ) : (
        <ViewTabs
          siteId={site.id}
          table={table}
          views={views}
          activeView={activeView}
          rights={{ shares: table.may.includes('update') || table.may.includes('create'), locks: designs }}
          onOpen={(view) => changeAddress({ view, filter: '', sort: '', group: '', record: '', day: '' })}
        />
      )}
    </header>
  );
};

/** Presence, saving status, and the number of records. */
const TableStatus = ({ work: { presence, saving, kind, state, pages, at } }: { readonly work: TableWorkState }): ReactElement => {
  const { t } = useTranslation('tables');
  const format = useFormat();
  const { total } = state;
  return (
    <span className="tables-status">
      {presence.here.length > 0 && <span>{t('people.here', { names: presence.here.join(', ') })}</span>}
      <span role="status">{saving ? t('edits.savingNow') : ''}</span>
      {kind === 'grid' && total !== null && (
        <>
          {state.slow && (
            <span title={t('count.slow')} className="tables-warn">
              <Icon name="info" size={14} />
              <span className="only-read">{t('count.slow')}</span>
            </span>
          )}
          {state.more ? (
            <button type="button" className="bare-button" title={t('count.exact')} onClick={() => void pages.countExactly()}>
              {t('count.more', { countText: format.number(total) })}
            </button>
          ) : (
            <span>{t(at.trash ? 'count.bin' : 'count.all', { count: total, countText: format.number(total) })}</span>
          )}
        </>
      )}
    </span>
  );
};

/** The tools above the records. `filterDraft`: a filter requested by another part of the screen, until the filter tool has opened with it. */
export const TableTools = ({
  work,
  filterDraft,
  onFilterOpened,
  onShare,
}: {
  readonly work: TableWorkState;
  readonly filterDraft: ReturnType<typeof emptyGroup> | null;
  readonly onFilterOpened: () => void;
  readonly onShare: () => void;
}): ReactElement => {
  const { site, tables, table, at, changeAddress, activeView, state, undo, step, kind, add, setAdding, refresh, onImport, designs } = work;
  const mayImport = !at.trash && (table.may.includes('create') || table.may.includes('update'));
  return (
    <Toolbar
      siteId={site.id}
      table={table}
      activeView={activeView}
      at={at}
      change={changeAddress}
      context={{ siteId: site.id, tables, people: state.labels.people }}
      undo={{ ...undo, undo: () => step('undo'), redo: () => step('redo') }}
      mayAdd={table.may.includes('create')}
      mayBin={table.may.includes('delete')}
      initialFilter={filterDraft}
      onInitialFilterOpened={onFilterOpened}
      onAdd={() => (kind === 'grid' ? void add({}, null) : setAdding({}))}
      onRefresh={refresh}
      onImport={mayImport ? () => onImport(null) : null}
      onExport={() => changeAddress({ export: true })}
      onShare={designs ? onShare : null}
      status={<TableStatus work={work} />}
      publishing={table.drafts && !at.trash && kind !== 'form' && table.may.includes('publish') ? <PublishAll work={work} /> : null}
    />
  );
};

/** Actions on the checked records. */
export const TableBulkBar = ({ work }: { readonly work: TableWorkState }): ReactElement | null => {
  const { site, table, at, query, state, chosen, setChosen, kind, locale, actions, refresh, undo } = work;
  if (kind !== 'grid' || !(chosen.all || chosen.ids.size > 0)) return null;
  const target: RecordTarget = chosen.all ? { filter: query.filter, ...(at.q === '' ? {} : { q: at.q }) } : { ids: [...chosen.ids] };
  return (
    <BulkBar
      siteId={site.id}
      table={table}
      target={target}
      count={chosen.all ? (state.total ?? 0) : chosen.ids.size}
      total={state.total}
      all={chosen.all}
      inBin={at.trash}
      locale={locale}
      acts={actions}
      onAll={() => setChosen({ all: true, ids: new Set() })}
      onClear={() => setChosen(noChosenRecords)}
      onDone={refresh}
      onBatches={undo.push}
    />
  );
};
