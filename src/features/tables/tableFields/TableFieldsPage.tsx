import { Button, Tab, Tabs } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { phone, useMedia } from '@/lib/useMedia';
import { flag, oneOf, text, useSearchState } from '@/lib/searchState';
import { href } from '@/routes/paths';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { Icon } from '@/ui/Icon';
import { PageHeader } from '@/ui/PageHeader';
import { IconButton } from '@/ui/PlainButton';
import '../records/records.css';
import '../parts/design.css';
import { NewTableDialog } from '../records/NewTableDialog';
import { NoTables } from '../records/NoTables';
import { TablePane } from '../records/TablePane';
import { DesignSite } from '../parts/DesignSite';
import { useOrderFieldsMutation } from '../parts/designApi';
import { tablesApi } from '../tablesApi';
import { isFieldType } from './fieldDraft';
import { FieldBin } from './FieldBin';
import { FieldList } from './FieldList';
import { FieldPane } from './FieldPane';
import { LayoutDesigner } from './LayoutDesigner';
import { Palette } from './Palette';

const modes = ['fields', 'layout'] as const;
/** `part`: the fields, or how the form arranges them. `field`: an id or key, or `new` with its `type`. `convert`: what its type is to become (`ConvertPart`). */
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

const OfTable = ({
  site,
  tables,
  table,
  pane,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly pane: ReactElement | null;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const dispatch = useAppDispatch();
  const [at, change] = useSearchState(address);
  const [typed, setTyped] = useState('');
  const onPhone = useMedia(phone);
  const [order] = useOrderFieldsMutation();
  const [said, setSaid] = useState('');
  const mayDesign = mayOnSite(site.role, 'tables.design');
  const arranging = at.part === 'layout';
  const making = at.field === 'new' && mayDesign && !arranging;
  const field =
    making || arranging ? undefined : table.fields.find(({ id, key, aliases }) => id === at.field || key === at.field || aliases.includes(at.field));
  const close = () => change({ field: '', type: '', convert: '' });
  const editing = making ? (isFieldType(at.type) ? `new:${at.type}` : 'new') : (field?.id ?? '');
  const before = useRef(editing);
  useEffect(() => {
    const was = before.current;
    before.current = editing;
    if (was === editing) return;
    const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
    // Into what is to be filled in; back to where one came from when the pane that had the focus is gone.
    if (editing.startsWith('new') && !onPhone) focus('.design-pane .design-body input');
    else if (document.activeElement === document.body || document.activeElement === null)
      focus(editing !== '' ? '.design-pane h2' : was.startsWith('new') ? '[data-design-add]' : `[data-design-field="${CSS.escape(was)}"] .design-open`);
  }, [editing, onPhone]);
  const arrange = async (ids: readonly string[], moved: TableField, to: number) => {
    // Shown at once; put back where the server refuses.
    const patch = dispatch(
      tablesApi.util.updateQueryData('tables', { siteId: site.id }, (list) => {
        const mine = list.find(({ id }) => id === table.id);
        if (mine) mine.fields = ids.flatMap((id) => mine.fields.find((one) => one.id === id) ?? []);
      }),
    );
    const { error } = await order({ siteId: site.id, table: table.id, revision: table.revision, body: { fields: [...ids] } });
    if (!isFailure(error)) {
      setSaid(t('fields.moved', { name: moved.title, at: to + 1 }));
      return;
    }
    patch.undo();
    dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: site.id }]));
    dispatch(noticeShown({ tone: 'bad', words: error.code === 'stale_revision' ? { key: 'tableDesign:fields.orderFailed' } : failureWords(error) }));
  };
  const editor = making ? (
    isFieldType(at.type) ? (
      <FieldPane
        key={`new:${at.type}`}
        site={site}
        tables={tables}
        table={table}
        field={null}
        type={at.type}
        mayDesign
        onClose={close}
        onAdded={(id) => change({ field: id, type: '' }, 'replace')}
        onRetype={() => change({ type: '' })}
      />
    ) : (
      <PalettePane onClose={close} onChoose={(type) => change({ field: 'new', type })} />
    )
  ) : field ? (
    <FieldPane
      key={field.id}
      site={site}
      tables={tables}
      table={table}
      field={field}
      type={field.type}
      mayDesign={mayDesign}
      onClose={close}
      onAdded={close}
      onRetype={close}
    />
  ) : null;
  return (
    <>
      {!(onPhone && editor) && (
        <div className="design-list">
          {pane}
          <div className="design-head">
            <h1 tabIndex={-1} data-page-heading="">
              {t(arranging ? 'layout.of' : 'fields.of', { table: table.title })}
            </h1>
            <Tabs
              value={at.part}
              onChange={(_event, part: (typeof modes)[number]) => change({ part, field: '', type: '', convert: '', bin: false })}
              aria-label={t('layout.mode')}
              className="design-modes"
            >
              <Tab value="fields" label={t('layout.fields')} />
              <Tab value="layout" label={t('layout.form')} />
            </Tabs>
            <Button size="small" component={Link} to={`${href('site.table.records', { siteId: site.id })}?table=${table.id}`}>
              {t('fields.records')}
            </Button>
            {!arranging && (
              <Button size="small" onClick={() => change({ bin: true })}>
                {t('fields.bin')}
              </Button>
            )}
            {mayDesign && !arranging && (
              <Button size="small" variant="contained" data-design-add="" onClick={() => change({ field: 'new', type: '' })}>
                {t('fields.add')}
              </Button>
            )}
          </div>
          {!mayDesign && (
            <p className="design-quiet" style={{ marginBottom: 8 }}>
              {t('readOnly')}
            </p>
          )}
          {arranging ? (
            <LayoutDesigner site={site} tables={tables} table={table} mayDesign={mayDesign} />
          ) : (
            <>
              {at.field !== '' && !editor && (
                <p role="alert" className="design-quiet" style={{ marginBottom: 8 }}>
                  {t('fields.gone')}
                </p>
              )}
              <div className="design-bar">
                <input
                  className="tables-input"
                  type="search"
                  aria-label={t('fields.find')}
                  placeholder={t('fields.find')}
                  value={typed}
                  maxLength={100}
                  onChange={(event) => setTyped(event.target.value)}
                />
                <p>{t('fields.count', { count: table.fields.length })}</p>
              </div>
              <FieldList
                table={table}
                current={field?.id ?? ''}
                wanted={typed.trim().toLowerCase()}
                mayDesign={mayDesign}
                onOpen={(id) => change({ field: id, type: '', convert: '' })}
                onOrder={(ids, moved, to) => void arrange(ids, moved, to)}
              />
              <p className="heard" role="status">
                {said}
              </p>
            </>
          )}
        </div>
      )}
      {editor}
      {at.bin && <FieldBin site={site} table={table} mayDesign={mayDesign} onClose={() => change({ bin: false })} />}
    </>
  );
};

const Bench = ({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [{ table: wanted }] = useSearchState(address);
  const [, setParams] = useSearchParams();
  const onPhone = useMedia(phone);
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const mayDesign = mayOnSite(site.role, 'tables.design');
  const table = wanted === '' ? tables[0] : tables.find(({ id, key, aliases }) => id === wanted || key === wanted || aliases.includes(wanted));
  // Another table: what else stands in the address was about the one before.
  const open = (id: string) => setParams({ table: id });
  const fromFile = () => void navigate(`${href('site.table.schemas', { siteId: site.id })}?import=table`);
  const dialog = adding && (
    <NewTableDialog
      siteId={site.id}
      onClose={() => setAdding(false)}
      onMade={(made) => {
        setAdding(false);
        open(made.id);
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
        <OfTable key={table.id} site={site} tables={tables} table={table} pane={onPhone ? pane : null} />
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

/** Fields of a content table: their order, what each is, what was thrown away; and how the form arranges them. */
export const Component = (): ReactElement => <DesignSite>{(site, tables) => <Bench site={site} tables={tables} />}</DesignSite>;
