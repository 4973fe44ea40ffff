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
import { transferFields } from '../transfer/address';
import { ImportWizard } from '../transfer/parts';
import { href } from '@/routes/paths';
import { PageHeader } from '@/ui/PageHeader';
import { IconButton } from '@/ui/PlainButton';
import { MenuRow, Popup } from '@/ui/Popup';
import { useMenu } from '@/ui/useMenu';
import '../records/records.css';
import '../parts/design.css';
import { DesignSite } from '../parts/DesignSite';
import { NewTableDialog } from '../records/NewTableDialog';
import { NoTables } from '../records/NoTables';
import { TableIcon } from '../records/tableIcon';
import { CardFacts } from './CardFacts';
import { Diagram } from './Diagram';
import { FilesDialog } from './FilesDialog';
import { HistoryDialog } from './HistoryDialog';
import { linksOf } from './links';
import { CopyTable, RemoveTable, TableBin } from './Small';
import { TableSettings } from './TableSettings';

const dialogs = ['none', 'new', 'bin', 'files', 'settings', 'history', 'copy', 'remove'] as const;
type Show = (typeof dialogs)[number];
/** The open dialog, and of which table it is. */
const address = { show: oneOf(dialogs, 'none'), table: text('', 64), ...transferFields };

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
  const links = linksOf(tables, table);
  const marks = [
    ...(table.kind === 'singleton' ? [t('schemas.singleton')] : []),
    ...(table.drafts ? [t('schemas.drafts')] : []),
    ...(table.locales.length > 1 ? [t('schemas.locales', { count: table.locales.length })] : []),
    ...(table.pages ? [t('schemas.pages', { pattern: table.pages.pattern })] : []),
  ];
  const named = (list: readonly ContentTable[]) => list.map(({ title }) => title).join('、');
  const go = (show: Show) => () => {
    menu.close();
    onShow(show);
  };
  return (
    <li className="design-card">
      <h2>
        <TableIcon icon={table.icon} />
        <Link to={`${href('site.table.fields', { siteId: site.id })}?table=${table.id}`}>{table.title}</Link>
        <span style={{ marginLeft: 'auto' }}>
          <IconButton label={t('schemas.menu', { name: table.title })} aria-haspopup="menu" aria-expanded={menu.anchor !== null} onClick={menu.toggle}>
            <More aria-hidden="true" sx={{ fontSize: 18 }} />
          </IconButton>
        </span>
      </h2>
      <code>{table.key}</code>
      {table.note !== '' && <p className="design-quiet">{table.note}</p>}
      <p className="design-quiet">
        {t('schemas.fields', { count: table.fields.length, shown: format.number(table.fields.length) })} ·{' '}
        {t('schemas.rows', { count: table.approxRows, shown: format.number(table.approxRows) })}
      </p>
      {mayDesign && <CardFacts siteId={site.id} table={table} />}
      {marks.length > 0 && (
        <p className="design-line design-quiet">
          {marks.map((mark) => (
            <span key={mark} className="design-mark">
              {mark}
            </span>
          ))}
        </p>
      )}
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
        <Button size="small" component={Link} to={`${href('site.table.fields', { siteId: site.id })}?table=${table.id}`}>
          {t('schemas.viewFields')}
        </Button>
        <Button size="small" component={Link} to={`${href('site.table.records', { siteId: site.id })}?table=${table.id}`}>
          {t('schemas.viewRecords')}
        </Button>
      </div>
      {menu.anchor && (
        <Popup anchor={menu.anchor} onClose={menu.close} label={t('schemas.menu', { name: table.title })} role="menu" align="end" width={200}>
          {mayDesign && (
            <MenuRow type="button" role="menuitem" onClick={go('settings')}>
              {t('schemas.settings')}
            </MenuRow>
          )}
          <MenuRow type="button" role="menuitem" onClick={go('history')}>
            {t('schemas.history')}
          </MenuRow>
          {mayDesign && (
            <>
              <MenuRow type="button" role="menuitem" onClick={go('copy')}>
                {t('schemas.copy')}
              </MenuRow>
              <MenuRow type="button" role="menuitem" onClick={go('remove')}>
                {t('schemas.remove')}
              </MenuRow>
            </>
          )}
        </Popup>
      )}
    </li>
  );
};

const Screen = ({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableSchemas');
  const navigate = useNavigate();
  const [at, change] = useSearchState(address);
  const mayDesign = mayOnSite(site.role, 'tables.design');
  const close = () => change({ show: 'none' }, 'replace');
  const fromFile = () => change({ show: 'none', import: 'table', step: '' });
  const show = (next: Show, table = at.table) => change({ show: next, table });
  const table = tables.find(({ id, key }) => id === at.table || key === at.table);
  const fieldsOf = (id: string) => `${href('site.table.fields', { siteId: site.id })}?table=${id}`;
  return (
    <div>
      <PageHeader
        title={t('schemas.title')}
        actions={
          <>
            <Button size="small" onClick={() => show('bin')}>
              {t('schemas.bin')}
            </Button>
            {mayDesign && (
              <>
                <Button size="small" onClick={fromFile}>
                  {t('schemas.fromFile')}
                </Button>
                <Button size="small" onClick={() => show('files')}>
                  {t('schemas.files')}
                </Button>
                <Button size="small" variant="contained" onClick={() => show('new')}>
                  {t('schemas.add')}
                </Button>
              </>
            )}
          </>
        }
      />
      {!mayDesign && <p className="design-quiet">{t('readOnly')}</p>}
      {tables.length === 0 ? (
        <NoTables mayDesign={mayDesign} onAdd={() => show('new')} onFile={fromFile} />
      ) : (
        <>
          <Diagram tables={tables} to={fieldsOf} />
          <ul className="design-cards" aria-label={t('schemas.list')} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {tables.map((one) => (
              <Card key={one.id} site={site} tables={tables} table={one} mayDesign={mayDesign} onShow={(next) => show(next, one.id)} />
            ))}
          </ul>
        </>
      )}
      {at.show === 'bin' && <TableBin siteId={site.id} mayDesign={mayDesign} onClose={close} />}
      {table && at.show === 'history' && <HistoryDialog siteId={site.id} table={table} tables={tables} mayDesign={mayDesign} onClose={close} />}
      {mayDesign && at.show === 'new' && <NewTableDialog siteId={site.id} onClose={close} onMade={({ id }) => void navigate(fieldsOf(id))} onFile={fromFile} />}
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
      {mayDesign && table && at.show === 'settings' && <TableSettings siteId={site.id} table={table} onClose={close} />}
      {mayDesign && table && at.show === 'copy' && <CopyTable siteId={site.id} table={table} onClose={close} />}
      {mayDesign && table && at.show === 'remove' && <RemoveTable siteId={site.id} tables={tables} table={table} onClose={close} />}
    </div>
  );
};

/** Tables of a site: what there is, how they hang together, and everything that is done with a whole table. */
export const Component = (): ReactElement => <DesignSite>{(site, tables) => <Screen site={site} tables={tables} />}</DesignSite>;
