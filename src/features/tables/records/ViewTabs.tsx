import Lock from '@mui/icons-material/LockOutlined';
import Person from '@mui/icons-material/PersonOutlined';
import { Button, ButtonBase } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordView, ViewQuery } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import { viewKinds } from '@contract/tables/terms';
import type { ViewKind } from '@contract/tables/terms';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { Icon } from '@/ui/Icon';
import { MenuRow, Popup } from '@/ui/Popup';
import { useMenu } from '@/ui/useMenu';
import { useAddViewMutation, useChangeViewMutation, useRemoveViewMutation } from '../tablesApi';
import { ViewIcon } from './icons';
import { dateFields, stackFields } from './panels';
import type { ActiveView } from './useActiveView';
import { ViewDialog } from './ViewDialog';
import { plainQuery } from './viewState';

export type ViewRights = { /** Shared views. */ readonly shares: boolean; readonly locks: boolean };
const mayChange = (view: RecordView, { shares, locks }: ViewRights): boolean => view.scope === 'personal' || (view.scope === 'shared' ? shares : locks);

type Asking = { readonly kind: ViewKind; readonly query: ViewQuery; readonly view: RecordView | null; readonly title: string };

/** The initial query of a new view of this kind, with the first fields it requires. */
const startQuery = (table: ContentTable, kind: ViewKind): ViewQuery => ({
  ...plainQuery,
  stack: kind === 'kanban' ? (stackFields(table)[0]?.id ?? null) : null,
  date: kind === 'calendar' ? (dateFields(table)[0]?.id ?? null) : null,
  cover: kind === 'gallery' || kind === 'kanban' ? (table.fields.find(({ type }) => type === 'image')?.id ?? null) : null,
});

/** Saved views as tabs; unsaved changes of the active view are indicated, and can be saved or discarded. */
export const ViewTabs = ({
  siteId,
  table,
  views,
  activeView,
  rights,
  onOpen,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly views: readonly RecordView[];
  readonly activeView: ActiveView;
  readonly rights: ViewRights;
  readonly onOpen: (view: string) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const adding = useMenu();
  const menu = useMenu();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [add] = useAddViewMutation();
  const [change, changing] = useChangeViewMutation();
  const [remove] = useRemoveViewMutation();
  const row = useRef<HTMLDivElement>(null);
  const { view } = activeView;
  const of = { siteId, table: table.id };
  useEffect(() => {
    const box = row.current;
    const tab = box?.querySelector<HTMLElement>('[aria-current]');
    if (box && tab) box.scrollLeft = tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2;
  }, [view?.id]);

  const tell = (error: unknown) => {
    if (!isFailure(error)) return;
    dispatch(noticeShown({ tone: 'bad', message: isStale(error) ? { key: 'tables:views.stale' } : failureMessage(error), requestId: error.requestId }));
  };
  const save = async () => {
    if (!view) return setAsking({ kind: 'grid', query: activeView.query, view: null, title: '' });
    const answer = await change({ ...of, view: view.id, revision: view.revision, body: { query: activeView.query } });
    if (answer.error === undefined) activeView.reset();
    else tell(answer.error);
  };
  const move = async (by: -1 | 1) => {
    if (!view) return;
    const answer = await change({ ...of, view: view.id, revision: view.revision, body: { position: Math.max(0, views.indexOf(view) + by) } });
    if (answer.error !== undefined) tell(answer.error);
  };
  const duplicate = async () => {
    if (!view) return;
    const answer = await add({
      ...of,
      body: {
        title: t('views.copyName', { name: view.title }).slice(0, 60),
        kind: view.kind,
        scope: rights.shares ? view.scope : 'personal',
        query: activeView.query,
      },
    });
    if (answer.data) onOpen(answer.data.id);
    else tell(answer.error);
  };
  const drop = async () => {
    if (
      !view ||
      !(await confirm({ title: t('views.removeTitle', { name: view.title }), body: t('views.removeText'), confirm: t('views.remove'), danger: true }))
    )
      return;
    const answer = await remove({ ...of, view: view.id });
    if (answer.error === undefined) onOpen('');
    else tell(answer.error);
  };
  const writable = view !== null && mayChange(view, rights);
  const choose = (work: () => unknown) => () => {
    menu.close();
    work();
  };
  return (
    <div className="tables-views">
      <nav ref={row} aria-label={t('views.label')}>
        <ButtonBase className="tables-tab" aria-current={view === null ? 'page' : undefined} onClick={() => onOpen('')}>
          <ViewIcon kind="grid" />
          {t('views.plain')}
        </ButtonBase>
        {views.map((one) => (
          <span key={one.id} className="tables-tab-box">
            <ButtonBase className="tables-tab" aria-current={one.id === view?.id ? 'page' : undefined} onClick={() => onOpen(one.id)}>
              <ViewIcon kind={one.kind} />
              {one.title}
              {one.scope === 'personal' && <Person titleAccess={t('views.personal')} sx={{ fontSize: 14, color: 'text.secondary' }} />}
              {one.scope === 'locked' && <Lock titleAccess={t('views.locked')} sx={{ fontSize: 13, color: 'text.secondary' }} />}
            </ButtonBase>
            {one.id === view?.id && (
              <ButtonBase
                className="tables-tab-menu"
                aria-label={t('views.menu', { name: one.title })}
                aria-haspopup="menu"
                aria-expanded={menu.anchor !== null}
                onClick={menu.toggle}
              >
                <Icon name="chevrons" size={14} />
              </ButtonBase>
            )}
          </span>
        ))}
        <ButtonBase className="tables-tab" aria-haspopup="menu" aria-expanded={adding.anchor !== null} onClick={adding.toggle}>
          <Icon name="plus" size={16} />
          <span className={views.length > 0 ? 'only-read' : ''}>{t('views.add')}</span>
        </ButtonBase>
      </nav>
      {activeView.changed && (
        <div className="tables-changed">
          <span role="status">{t('views.changed')}</span>
          {(view === null || writable) && (
            <Button size="small" onClick={() => void save()} aria-busy={changing.isLoading}>
              {t(view === null ? 'views.saveAs' : 'views.saveChange')}
            </Button>
          )}
          {view !== null && !writable && (
            <Button size="small" onClick={() => setAsking({ kind: view.kind, query: activeView.query, view: null, title: '' })}>
              {t('views.saveAs')}
            </Button>
          )}
          <Button size="small" onClick={activeView.reset}>
            {t('views.reset')}
          </Button>
        </div>
      )}
      {adding.anchor && (
        <Popup anchor={adding.anchor} onClose={adding.close} label={t('views.add')} role="menu" width={200}>
          {viewKinds.map((kind) => (
            <MenuRow
              key={kind}
              role="menuitem"
              type="button"
              onClick={() => {
                adding.close();
                setAsking({ kind, query: startQuery(table, kind), view: null, title: '' });
              }}
            >
              <ViewIcon kind={kind} />
              {t(`kind.${kind}`)}
            </MenuRow>
          ))}
        </Popup>
      )}
      {menu.anchor && view && (
        <Popup anchor={menu.anchor} onClose={menu.close} label={t('views.menu', { name: view.title })} role="menu" width={200}>
          {writable && (
            <MenuRow role="menuitem" type="button" onClick={choose(() => setAsking({ kind: view.kind, query: view.query, view, title: view.title }))}>
              {t('views.edit')}
            </MenuRow>
          )}
          <MenuRow role="menuitem" type="button" onClick={choose(() => void duplicate())}>
            {t('views.duplicate')}
          </MenuRow>
          {writable && views.indexOf(view) > 0 && (
            <MenuRow role="menuitem" type="button" onClick={choose(() => void move(-1))}>
              {t('views.left')}
            </MenuRow>
          )}
          {writable && views.indexOf(view) < views.length - 1 && (
            <MenuRow role="menuitem" type="button" onClick={choose(() => void move(1))}>
              {t('views.right')}
            </MenuRow>
          )}
          {writable && (
            <MenuRow role="menuitem" type="button" onClick={choose(() => void drop())} style={{ color: 'var(--bad)' }}>
              {t('views.remove')}
            </MenuRow>
          )}
        </Popup>
      )}
      {asking && (
        <ViewDialog
          {...of}
          view={asking.view}
          kind={asking.kind}
          query={asking.query}
          title={asking.title}
          rights={rights}
          onClose={() => setAsking(null)}
          onSaved={(saved) => {
            setAsking(null);
            onOpen(saved.id);
          }}
        />
      )}
    </div>
  );
};
