import { Button, Tab, Tabs } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { phone, useMedia } from '@/lib/useMedia';
import { flag, oneOf, text, useSearchState } from '@/lib/searchState';
import { href } from '@/routes/paths';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { Icon } from '@/ui/Icon';
import { PageHeader } from '@/ui/PageHeader';
import { IconButton } from '@/ui/PlainButton';
import { SearchBox } from '@/ui/SearchBox';
import '@/features/tables/records/records.css';
import '@/features/tables/parts/design.css';
import { NewTableDialog } from '@/features/tables/records/NewTableDialog';
import { NoTables } from '@/features/tables/records/NoTables';
import { TablePane } from '@/features/tables/records/TablePane';
import { DesignSite } from '@/features/tables/parts/DesignSite';
import { useOrderFieldsMutation } from '@/features/tables/parts/designApi';
import { tablesApi } from '@/features/tables/tablesApi';
import { isFieldType } from '@/features/tables/fieldTypes';
import { FieldBin } from './FieldBin';
import { FieldList } from './FieldList';
import { FieldPane } from './FieldPane';
import { LayoutDesigner } from './LayoutDesigner';
import { Palette } from './Palette';

const modes = ['fields', 'layout'] as const;
/** `part`: the fields or the form layout. `field`: an id or key, or `new` with its `type`. `convert`: the target type of a conversion (`ConversionPart`). */
const address = { table: text('', 64), part: oneOf(modes, 'fields'), field: text('', 64), type: text('', 20), convert: text('', 20), bin: flag() };

const PalettePane = ({ onClose, onChoose }: { readonly onClose: () => void; readonly onChoose: (type: string) => void }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it
    <div
      className="design-pane"
      role="group"
      aria-label={t('palette.title')}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <header>
        <h2 tabIndex={-1}>{t('palette.title')}</h2>
        <IconButton label={t('fields.back')} onClick={onClose}>
          <Icon name="close" size={16} />
        </IconButton>
      </header>
      <div className="design-body">
        <Palette onChoose={onChoose} />
      </div>
    </div>
  );
};

type OfTable = { readonly site: Site; readonly tables: readonly ContentTable[]; readonly table: ContentTable };

/** Moves the focus when another field is edited: to its first input, or back to the previous element when the pane has closed. */
function usePaneFocus(edited: string): void {
  const onPhone = useMedia(phone);
  const before = useRef(edited);
  useEffect(() => {
    const previous = before.current;
    before.current = edited;
    if (previous === edited) return;
    const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
    if (edited.startsWith('new') && !onPhone) focus('.design-pane .design-body input');
    else if (document.activeElement === document.body || document.activeElement === null)
      focus(
        edited !== '' ? '.design-pane h2' : previous.startsWith('new') ? '[data-design-add]' : `[data-design-field="${CSS.escape(previous)}"] .design-open`,
      );
  }, [edited, onPhone]);
}

/** Saves the order of the fields: shown at once, and reverted where the server refuses it. */
function useFieldOrder(site: Site, table: ContentTable) {
  const { t } = useTranslation('tableDesign');
  const dispatch = useAppDispatch();
  const [order] = useOrderFieldsMutation();
  const [announcement, setAnnouncement] = useState('');
  const save = async (ids: readonly string[], moved: TableField, to: number) => {
    const patch = dispatch(
      tablesApi.util.updateQueryData('tables', { siteId: site.id }, (list) => {
        const mine = list.find(({ id }) => id === table.id);
        if (mine) mine.fields = ids.flatMap((id) => mine.fields.find((one) => one.id === id) ?? []);
      }),
    );
    const { error } = await order({ siteId: site.id, table: table.id, revision: table.revision, body: { fields: [...ids] } });
    if (!isFailure(error)) {
      setAnnouncement(t('fields.moved', { name: moved.title, at: to + 1 }));
      return;
    }
    patch.undo();
    dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: site.id }]));
    dispatch(noticeShown({ tone: 'bad', message: error.code === 'stale_revision' ? { key: 'tableDesign:fields.orderFailed' } : failureMessage(error) }));
  };
  return { announcement, save };
}

/** The heading of the page, its two modes, and the actions on the table. */
const FieldsHead = ({ site, table, mayDesign }: Omit<OfTable, 'tables'> & { readonly mayDesign: boolean }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [{ part }, change] = useSearchState(address);
  const ofForm = part === 'layout';
  return (
    <>
      <div className="design-head">
        <h1 tabIndex={-1} data-page-heading="">
          {t(ofForm ? 'layout.of' : 'fields.of', { table: table.title })}
        </h1>
        <Tabs
          value={part}
          onChange={(_event, next: (typeof modes)[number]) => change({ part: next, field: '', type: '', convert: '', bin: false })}
          aria-label={t('layout.mode')}
          className="design-modes"
        >
          <Tab value="fields" label={t('layout.fields')} />
          <Tab value="layout" label={t('layout.form')} />
        </Tabs>
        <Button component={Link} to={`${href('site.table.records', { siteId: site.id })}?table=${table.id}`}>
          {t('fields.records')}
        </Button>
        {!ofForm && <Button onClick={() => change({ bin: true })}>{t('fields.bin')}</Button>}
        {mayDesign && !ofForm && (
          <Button variant="contained" data-design-add="" onClick={() => change({ field: 'new', type: '' })}>
            {t('fields.add')}
          </Button>
        )}
      </div>
      {!mayDesign && (
        <p className="design-quiet" style={{ marginBottom: 8 }}>
          {t('readOnly')}
        </p>
      )}
    </>
  );
};

/** The fields of the table, to search, open and reorder. `missing`: the URL names a field that does not exist. */
const FieldsOverview = ({
  site,
  table,
  mayDesign,
  current,
  missing,
}: Omit<OfTable, 'tables'> & { readonly mayDesign: boolean; readonly current: string; readonly missing: boolean }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [, change] = useSearchState(address);
  const [typed, setTyped] = useState('');
  const { announcement, save } = useFieldOrder(site, table);
  return (
    <>
      {missing && (
        <p role="alert" className="design-quiet" style={{ marginBottom: 8 }}>
          {t('fields.gone')}
        </p>
      )}
      <div className="design-bar">
        <SearchBox wide label={t('fields.find')} value={typed} onChange={setTyped} />
        <p>{t('fields.count', { count: table.fields.length })}</p>
      </div>
      <FieldList
        table={table}
        current={current}
        search={typed.trim().toLowerCase()}
        mayDesign={mayDesign}
        onOpen={(id) => change({ field: id, type: '', convert: '' })}
        onOrder={(ids, moved, to) => void save(ids, moved, to)}
      />
      <p className="heard" role="status">
        {announcement}
      </p>
    </>
  );
};

/** The editor that the URL names: of a new field, of an existing one, or none. */
function useFieldEditor({ site, tables, table }: OfTable): { readonly field: TableField | undefined; readonly editor: ReactElement | null } {
  const [at, change] = useSearchState(address);
  const mayDesign = mayOnSite(site.role, 'tables.design');
  const ofForm = at.part === 'layout';
  const adding = at.field === 'new' && mayDesign && !ofForm;
  const field = adding || ofForm ? undefined : table.fields.find(({ id, key, aliases }) => id === at.field || key === at.field || aliases.includes(at.field));
  const type = isFieldType(at.type) ? at.type : null;
  usePaneFocus(adding ? (type === null ? 'new' : `new:${type}`) : (field?.id ?? ''));
  const close = () => change({ field: '', type: '', convert: '' });
  const common = { site, tables, table, mayDesign, onClose: close };
  if (field) return { field, editor: <FieldPane key={field.id} {...common} field={field} type={field.type} onAdded={close} onRetype={close} /> };
  if (!adding) return { field, editor: null };
  if (type === null) return { field, editor: <PalettePane onClose={close} onChoose={(chosen) => change({ field: 'new', type: chosen })} /> };
  return {
    field,
    editor: (
      <FieldPane
        key={`new:${type}`}
        {...common}
        field={null}
        type={type}
        onAdded={(id) => change({ field: id, type: '' }, 'replace')}
        onRetype={() => change({ type: '' })}
      />
    ),
  };
}

const TableFields = ({ pane, ...of }: OfTable & { readonly pane: ReactElement | null }): ReactElement => {
  const { site, tables, table } = of;
  const [at, change] = useSearchState(address);
  const onPhone = useMedia(phone);
  const mayDesign = mayOnSite(site.role, 'tables.design');
  const { field, editor } = useFieldEditor(of);
  return (
    <>
      {!(onPhone && editor) && (
        <div className="design-list">
          {pane}
          <FieldsHead site={site} table={table} mayDesign={mayDesign} />
          {at.part === 'layout' ? (
            <LayoutDesigner site={site} tables={tables} table={table} mayDesign={mayDesign} />
          ) : (
            <FieldsOverview site={site} table={table} mayDesign={mayDesign} current={field?.id ?? ''} missing={at.field !== '' && !editor} />
          )}
        </div>
      )}
      {editor}
      {at.bin && <FieldBin site={site} table={table} mayDesign={mayDesign} onClose={() => change({ bin: false })} />}
    </>
  );
};

const Workspace = ({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [{ table: requestedTable }] = useSearchState(address);
  const [, setParams] = useSearchParams();
  const onPhone = useMedia(phone);
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const mayDesign = mayOnSite(site.role, 'tables.design');
  const table =
    requestedTable === ''
      ? tables[0]
      : tables.find(({ id, key, aliases }) => id === requestedTable || key === requestedTable || aliases.includes(requestedTable));
  // Opens another table; the other parameters of the URL belong to the previous table.
  const open = (id: string) => setParams({ table: id });
  const fromFile = () => void navigate(`${href('site.table.schemas', { siteId: site.id })}?import=table`);
  const dialog = adding && (
    <NewTableDialog
      siteId={site.id}
      onClose={() => setAdding(false)}
      onMade={(createdTable) => {
        setAdding(false);
        open(createdTable.id);
      }}
      onFile={fromFile}
    />
  );
  if (tables.length === 0)
    return (
      <div className="tables-plain">
        <PageHeader title={t('fields.title')} />
        <NoTables mayDesign={mayDesign} onAdd={() => setAdding(true)} onFile={fromFile} />
        {dialog}
      </div>
    );
  const pane = <TablePane tables={tables} current={table?.id ?? null} mayDesign={mayDesign} onOpen={open} onAdd={() => setAdding(true)} />;
  return (
    <div className="tables-bench">
      {!onPhone && pane}
      {table ? (
        <TableFields key={table.id} site={site} tables={tables} table={table} pane={onPhone ? pane : null} />
      ) : (
        <div className="tables-plain">
          <PageHeader title={t('fields.title')} />
          <EmptyState title={t('fields.tableGone')} action={<Button onClick={() => setParams({})}>{t('fields.toFirst')}</Button>} />
        </div>
      )}
      {dialog}
    </div>
  );
};

/** Fields of a content table: order, definitions and bin; and the form layout. */
export const Component = (): ReactElement => <DesignSite>{(site, tables) => <Workspace site={site} tables={tables} />}</DesignSite>;
