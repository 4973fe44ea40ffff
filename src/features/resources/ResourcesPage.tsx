import DeleteOutlined from '@mui/icons-material/DeleteOutlined';
import { Button } from '@mui/material';
import { Suspense, useEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import type { ResourceKind } from '@contract/resources/terms';
import type { Site } from '@contract/sites/schemas';
import { selectSite } from '@/features/sites/sitesSlice';
import { useFormat } from '@/lib/format';
import { useListAddress } from '@/lib/useListAddress';
import { useRemembered } from '@/lib/useRemembered';
import { useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { Icon } from '@/ui/Icon';
import { NoMatch } from '@/ui/list/NoMatch';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import { PageHeader } from '@/ui/PageHeader';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { Bone } from '@/ui/skeletons';
import { EmptyBin } from './EmptyBin';
import { Folders } from './Folders';
import { isPicture, kindAt, kindIcons } from './kinds';
import { resourceAddress } from './resourceAddress';
import { ResourceGrid } from './ResourceGrid';
import { ResourceList } from './ResourceList';
import { ResourceMasonry } from './ResourceMasonry';
import { BulkBar, resourceViews, ResourceTools } from './ResourceTools';
import type { ResourceView } from './ResourceTools';
import { useResourceFoldersQuery } from './resourcesApi';
import './resources.css';
import { UploadButton } from './UploadButton';
import { useAddFiles } from './uploads/useAddFiles';
import { useFileSources } from './uploads/useFileSources';
import { listInterrupted, useUploadQueue } from './uploads/uploads';
import { useResourceActions } from './useResourceActions';
import { useResourceRows } from './useResourceRows';
import { useSelection } from './useSelection';

const Duplicates = lazyWithRetry(() => import(/* webpackChunkName: "resource-storage" */ './library/Duplicates'));
const AltTexts = lazyWithRetry(() => import(/* webpackChunkName: "resource-texts" */ './library/AltTexts'));
const AddFromAddresses = lazyWithRetry(() => import(/* webpackChunkName: "resource-texts" */ './library/AddFromAddresses'));
const ResourceDrawer = lazyWithRetry(() => import(/* webpackChunkName: "resource-item" */ './item/ResourceDrawer'));

const CardsSkeleton = (): ReactElement => (
  <div className="resource-skeleton" aria-hidden="true">
    {[0, 1, 2, 3, 4, 5, 6, 7].map((at) => (
      <Bone key={at} h={180} />
    ))}
  </div>
);

/** The folder into which files are added while `folder` of the address is open. */
const folderIn = (folder: string): string | null => (folder === '' || folder === 'root' ? null : folder);

/** The place into which files of this page are uploaded, and the drop zone around it. */
function useUploadsHere(siteId: string, folder: string, mayWrite: boolean) {
  const addFiles = useAddFiles(siteId, folderIn(folder));
  const queue = useUploadQueue();
  useEffect(() => {
    if (mayWrite) void listInterrupted(queue, siteId);
  }, [queue, siteId, mayWrite]);
  const over = useFileSources(mayWrite, (files) => void addFiles(files));
  return { addFiles, over };
}

/** The state of one screen: its address, its rows, and what is selected. */
function useResourceScreen(site: Site, kind: ResourceKind) {
  const { state, change, filter, search, paging, isFiltered, clear } = useListAddress(resourceAddress, ['q', 'tag', 'filter']);
  const rows = useResourceRows(site.id, kind, state);
  const selection = useSelection(rows.rows);
  const actions = useResourceActions(site.id, rows.rows);
  const { data: folders = [] } = useResourceFoldersQuery({ siteId: site.id, kind });
  const selected = rows.rows.filter(({ id }) => selection.ids.has(id));
  const remove = async (): Promise<void> => {
    const ids = selected.map(({ id }) => id);
    const done = await (state.bin ? actions.purge(ids) : actions.remove(ids));
    if (done) selection.clear();
  };
  return { state, change, filter, search, paging, isFiltered, clear, ...rows, selection, actions, folders, selected, remove };
}

type ScreenState = ReturnType<typeof useResourceScreen>;
type ContentProps = {
  readonly site: Site;
  readonly kind: ResourceKind;
  readonly view: ResourceView;
  readonly screen: ScreenState;
  readonly mayWrite: boolean;
  /** The button that uploads. */
  readonly upload: ReactNode;
};

function Empty({ kind, screen, mayWrite, upload }: Omit<ContentProps, 'site' | 'view'>): ReactElement {
  const { t } = useTranslation('resources');
  if (screen.isFiltered) return <NoMatch title={t('empty.noMatch')} onClear={screen.clear} />;
  const { bin, folder } = screen.state;
  if (bin) {
    return (
      <EmptyState icon={<DeleteOutlined className="resource-bin-glyph" />} title={t('bin.empty')}>
        {t('bin.emptyText')}
      </EmptyState>
    );
  }
  const glyph = <Icon name={kindIcons[kind]} size={40} />;
  return folder === '' ? (
    <EmptyState ghost="cards" icon={glyph} title={t(`empty.${kind}`)} action={upload}>
      {t(mayWrite ? 'empty.text' : 'empty.noRight')}
    </EmptyState>
  ) : (
    <EmptyState ghost="cards" icon={glyph} title={t(folder === 'root' ? 'emptyFolder.root' : `emptyFolder.${kind}`)}>
      {mayWrite && folder !== 'root' && t('emptyFolder.text')}
    </EmptyState>
  );
}

/** The resources in the chosen layout, or groups of duplicates. */
function Content(props: ContentProps): ReactElement {
  const { site, kind, view, screen, mayWrite } = props;
  const { change, rows, selection } = screen;
  const onOpen = (item: string): void => change({ item });
  if (screen.state.filter === 'duplicates' && !screen.state.bin) {
    return (
      <Suspense fallback={<CardsSkeleton />}>
        <Duplicates siteId={site.id} kind={kind} mayWrite={mayWrite} paging={screen.paging} onOpen={onOpen} />
      </Suspense>
    );
  }
  const Items = view === 'list' ? ResourceList : view === 'masonry' && isPicture(kind) ? ResourceMasonry : ResourceGrid;
  return (
    <ResultState result={screen.result} skeleton={<CardsSkeleton />}>
      {() =>
        rows.length === 0 ? (
          <Empty {...props} />
        ) : (
          <Items
            siteId={site.id}
            rows={rows}
            selection={selection}
            mayWrite={mayWrite}
            onOpen={onOpen}
            onRemove={mayWrite ? () => void screen.remove() : null}
            onEnd={screen.loadMore}
          />
        )
      }
    </ResultState>
  );
}

/** Title of the library or of its bin, and what can be done there. */
function Head({ site, kind, screen, mayWrite, upload }: Omit<ContentProps, 'view'>): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const { state, total, rows } = screen;
  const beside = total > 0 && <span className="resource-total">{format.number(total)}</span>;
  const name = t(`kind.${kind}`);
  if (!state.bin) {
    // Without resources the button is in their place.
    const nothing = screen.result.currentData !== undefined && rows.length === 0 && !screen.isFiltered && state.folder === '';
    return <PageHeader title={name} beside={beside} actions={!nothing && upload} />;
  }
  return (
    <PageHeader
      title={t('binScreen.title', { kind: name })}
      beside={beside}
      note={t('bin.note')}
      actions={
        <span className="resource-actions">
          <PlainButton data-quiet="" title={t('bin.leave')} onClick={() => screen.filter({ bin: false })}>
            <Icon name="left" size={16} /> {name}
          </PlainButton>
          {mayWrite && total > 0 && !screen.isFiltered && <EmptyBin siteId={site.id} kind={kind} total={total} />}
        </span>
      }
    />
  );
}

function Screen({ site, kind }: { readonly site: Site; readonly kind: ResourceKind }): ReactElement {
  const { t } = useTranslation('resources');
  const mayWrite = mayOnSite(site.role, 'resources.write');
  // Attachments have no pictures to show.
  const [view, setView] = useRemembered(
    kind === 'attachment' ? 'resources.attachmentView' : 'resources.view',
    resourceViews,
    kind === 'attachment' ? 'list' : 'grid',
  );
  const screen = useResourceScreen(site, kind);
  const { state, change, selection, actions, rows, folders } = screen;
  const { addFiles, over } = useUploadsHere(site.id, state.folder, mayWrite && !state.bin);
  const [dialog, setDialog] = useState<'addresses' | 'texts' | null>(null);
  const describe = mayWrite && isPicture(kind) && !state.bin ? () => setDialog('texts') : null;
  const upload = mayWrite && !state.bin && (
    <UploadButton kind={kind} onFiles={(files) => void addFiles(files)} onAddresses={() => setDialog('addresses')} onDescribe={describe} />
  );
  const content = { site, kind, view, screen, mayWrite, upload };
  return (
    <div className="resources">
      <Head {...content} />
      <ResourceTools
        siteId={site.id}
        kind={kind}
        state={state}
        search={screen.search}
        view={view}
        onFilter={screen.filter}
        onView={setView}
        onDescribe={state.filter === 'noAlt' ? describe : null}
      />
      {!state.bin && state.filter !== 'duplicates' && (
        <Folders
          siteId={site.id}
          folders={folders}
          current={state.folder}
          isSearching={state.q !== ''}
          mayWrite={mayWrite}
          onOpen={(folder) => screen.filter({ folder })}
          onMove={(ids, folder) => void actions.move(ids, folder).then((done) => done && selection.clear())}
        />
      )}
      {screen.outdated && (
        <p role="status" className="resource-outdated">
          {t('list.outdated')} <PlainButton onClick={screen.refresh}>{t('list.refresh')}</PlainButton>
        </p>
      )}
      <Content {...content} />
      {screen.result.isFetchingNextPage && <p role="status">{t('list.loadingMore')}</p>}
      {screen.result.isFetchNextPageError && <Button onClick={screen.loadMore}>{t('list.loadMore')}</Button>}
      {screen.selected.length > 0 && (
        <BulkBar
          selected={screen.selected}
          loaded={rows.length}
          folders={folders}
          current={state.folder}
          bin={state.bin}
          actions={actions}
          onAll={selection.selectAll}
          onClear={selection.clear}
        />
      )}
      {over && (
        <p className="resource-drop" role="status">
          {t('upload.drop')}
        </p>
      )}
      {dialog === 'texts' && <AltTexts site={site} kind={kind} onClose={() => setDialog(null)} />}
      {dialog === 'addresses' && <AddFromAddresses siteId={site.id} folderId={folderIn(state.folder)} onClose={() => setDialog(null)} />}
      {state.item !== '' && (
        <ResourceDrawer site={site} id={state.item} mayWrite={mayWrite} actions={actions} onClose={() => change({ item: '' }, 'replace')} />
      )}
    </div>
  );
}

/** Images, SVGs, videos or attachments of a site: the route determines which. */
export const Component = (): ReactElement | null => {
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  const kind = kindAt(useLocation().pathname);
  return site === undefined ? null : <Screen key={`${site.id} ${kind}`} site={site} kind={kind} />;
};
