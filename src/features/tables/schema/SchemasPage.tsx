import More from '@mui/icons-material/MoreHorizOutlined';
import { Button } from '@mui/material';
import { Suspense } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { oneOf, text, useSearchState } from '@/lib/searchState';
import { transferFields } from '@/features/tables/transfer/address';
import { ImportWizard } from '@/features/tables/transfer/lazyDialogs';
import { href } from '@/routes/paths';
import { PageHeader } from '@/ui/PageHeader';
import { IconButton } from '@/ui/PlainButton';
import { MenuRow, Popup } from '@/ui/Popup';
import { Tag } from '@/ui/Tag';
import { useMenu } from '@/ui/useMenu';
import '@/features/tables/records/records.css';
import '@/features/tables/parts/design.css';
import { DesignSite } from '@/features/tables/parts/DesignSite';
import { NewTableDialog } from '@/features/tables/records/NewTableDialog';
import { NoTables } from '@/features/tables/records/NoTables';
import { TableIcon } from '@/features/tables/records/tableIcon';
import { CopyTableDialog } from './CopyTableDialog';
import { DeletedTablesDialog } from './DeletedTablesDialog';
import { CardFacts } from './CardFacts';
import { Diagram } from './Diagram';
import { FilesDialog } from './FilesDialog';
import { HistoryDialog } from './HistoryDialog';
import { RemoveTableDialog } from './RemoveTableDialog';
import { relatedTables } from './tableRelations';
import { TableSettings } from './TableSettings';

const dialogs = ['none', 'new', 'bin', 'files', 'settings', 'history', 'copy', 'remove'] as const;
type Show = (typeof dialogs)[number];
/** The open dialog, and the table that it is about. */
const address = { show: oneOf(dialogs, 'none'), table: text('', 64), ...transferFields };

/** The menu of a card: actions on the whole table. */
const CardMenu = ({
  menu,
  table,
  mayDesign,
  onShow,
}: {
  readonly menu: ReturnType<typeof useMenu>;
  readonly table: ContentTable;
  readonly mayDesign: boolean;
  readonly onShow: (show: Show) => void;
}): ReactElement | null => {
  const { t } = useTranslation('tableSchemas');
  if (!menu.anchor) return null;
  const actions = mayDesign ? (['settings', 'history', 'copy', 'remove'] as const) : (['history'] as const);
  return (
    <Popup anchor={menu.anchor} onClose={menu.close} label={t('schemas.menu', { name: table.title })} role="menu" align="end" width={200}>
      {actions.map((action) => (
        <MenuRow
          key={action}
          type="button"
          role="menuitem"
          onClick={() => {
            menu.close();
            onShow(action);
          }}
        >
          {t(`schemas.${action}`)}
        </MenuRow>
      ))}
    </Popup>
  );
};

/** Special properties of a table: single record, drafts, languages, pages. */
const CardMarks = ({ table }: { readonly table: ContentTable }): ReactElement | null => {
  const { t } = useTranslation('tableSchemas');
  const marks = [
    ...(table.kind === 'singleton' ? [t('schemas.singleton')] : []),
    ...(table.drafts ? [t('schemas.drafts')] : []),
    ...(table.locales.length > 1 ? [t('schemas.locales', { count: table.locales.length })] : []),
    ...(table.pages ? [t('schemas.pages', { pattern: table.pages.pattern })] : []),
  ];
  if (marks.length === 0) return null;
  return (
    <p className="design-line design-quiet">
      {marks.map((mark) => (
        <Tag key={mark}>{mark}</Tag>
      ))}
    </p>
  );
};

const Card = ({
  site,
  tables,
  table,
  mayDesign,
  onShow,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly mayDesign: boolean;
  readonly onShow: (show: Show) => void;
}): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const format = useFormat();
  const menu = useMenu();
  const links = relatedTables(tables, table);
  const named = (list: readonly ContentTable[]) => format.list(list.map(({ title }) => title));
  return (
    <li className="design-card">
      <h2>
        <TableIcon icon={table.icon} />
        <Link to={`${href('site.table.fields', { siteId: site.id })}?table=${table.id}`}>{table.title}</Link>
        <span style={{ marginLeft: 'auto' }}>
          <IconButton label={t('schemas.menu', { name: table.title })} aria-haspopup="menu" aria-expanded={menu.anchor !== null} onClick={menu.toggle}>
            <More aria-hidden="true" />
          </IconButton>
        </span>
      </h2>
      <code>{table.key}</code>
      {table.note !== '' && <p className="design-quiet">{table.note}</p>}
      <p className="design-quiet">
        {t('schemas.fields', { count: table.fields.length, countText: format.number(table.fields.length) })} ·{' '}
        {t('schemas.rows', { count: table.approxRows, countText: format.number(table.approxRows) })}
      </p>
      {mayDesign && <CardFacts siteId={site.id} table={table} />}
      <CardMarks table={table} />
      {links.to.length > 0 && (
        <p className="design-quiet">
          {t('schemas.to')} {named(links.to)}
        </p>
      )}
      {links.from.length > 0 && (
        <p className="design-quiet">
          {t('schemas.from')} {named(links.from)}
        </p>
      )}
      <p className="design-quiet">{t('schemas.created', { when: format.dateTime(table.createdAt) })}</p>
      <div className="design-line">
        <Button component={Link} to={`${href('site.table.fields', { siteId: site.id })}?table=${table.id}`}>
          {t('schemas.viewFields')}
        </Button>
        <Button component={Link} to={`${href('site.table.records', { siteId: site.id })}?table=${table.id}`}>
          {t('schemas.viewRecords')}
        </Button>
      </div>
      <CardMenu menu={menu} table={table} mayDesign={mayDesign} onShow={onShow} />
    </li>
  );
};

type OfSite = { readonly site: Site; readonly tables: readonly ContentTable[] };
const fieldsOf = (site: Site, table: string): string => `${href('site.table.fields', { siteId: site.id })}?table=${table}`;

/** The dialog named in the URL. */
const SchemaDialogs = ({ site, tables }: OfSite): ReactElement => {
  const navigate = useNavigate();
  const [at, change] = useSearchState(address);
  const mayDesign = mayOnSite(site.role, 'tables.design');
  const table = tables.find(({ id, key }) => id === at.table || key === at.table);
  const close = () => change({ show: 'none' }, 'replace');
  const importFile = () => change({ show: 'none', import: 'table', step: '' });
  const ofTable = table && { siteId: site.id, table, onClose: close };
  return (
    <>
      {at.show === 'bin' && <DeletedTablesDialog siteId={site.id} mayDesign={mayDesign} onClose={close} />}
      {ofTable && at.show === 'history' && <HistoryDialog {...ofTable} tables={tables} mayDesign={mayDesign} />}
      {mayDesign && at.show === 'new' && (
        <NewTableDialog siteId={site.id} onClose={close} onMade={({ id }) => void navigate(fieldsOf(site, id))} onFile={importFile} />
      )}
      {at.import !== '' && (
        <Suspense fallback={null}>
          <ImportWizard
            site={site}
            tables={tables}
            current={null}
            at={at}
            change={change}
            dropped={null}
            onDroppedTaken={() => undefined}
            onShow={(id) => void navigate(`${href('site.table.records', { siteId: site.id })}?table=${id}`)}
          />
        </Suspense>
      )}
      {mayDesign && at.show === 'files' && <FilesDialog siteId={site.id} siteName={site.name} tables={tables} onClose={close} />}
      {mayDesign && ofTable && at.show === 'settings' && <TableSettings {...ofTable} />}
      {mayDesign && ofTable && at.show === 'copy' && <CopyTableDialog {...ofTable} />}
      {mayDesign && ofTable && at.show === 'remove' && <RemoveTableDialog {...ofTable} tables={tables} />}
    </>
  );
};

const Screen = ({ site, tables }: OfSite): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const [at, change] = useSearchState(address);
  const mayDesign = mayOnSite(site.role, 'tables.design');
  const fromFile = () => change({ show: 'none', import: 'table', step: '' });
  const show = (next: Show, table = at.table) => change({ show: next, table });
  // Without tables, the empty state offers both ways to create the first one.
  const isEmpty = tables.length === 0;
  return (
    <div>
      <PageHeader
        title={t('schemas.title')}
        actions={
          <>
            <Button onClick={() => show('bin')}>{t('schemas.bin')}</Button>
            {mayDesign && !isEmpty && <Button onClick={fromFile}>{t('schemas.fromFile')}</Button>}
            {mayDesign && <Button onClick={() => show('files')}>{t('schemas.files')}</Button>}
            {mayDesign && !isEmpty && (
              <Button variant="contained" onClick={() => show('new')}>
                {t('schemas.add')}
              </Button>
            )}
          </>
        }
      />
      {!mayDesign && <p className="design-quiet">{t('readOnly')}</p>}
      {isEmpty ? (
        <NoTables mayDesign={mayDesign} onAdd={() => show('new')} onFile={fromFile} />
      ) : (
        <>
          <Diagram tables={tables} to={(id) => fieldsOf(site, id)} />
          <ul className="design-cards" aria-label={t('schemas.list')} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {tables.map((one) => (
              <Card key={one.id} site={site} tables={tables} table={one} mayDesign={mayDesign} onShow={(next) => show(next, one.id)} />
            ))}
          </ul>
        </>
      )}
      <SchemaDialogs site={site} tables={tables} />
    </div>
  );
};

/** Tables of a site, their relations, and all actions on whole tables. */
export const Component = (): ReactElement => <DesignSite>{(site, tables) => <Screen site={site} tables={tables} />}</DesignSite>;
