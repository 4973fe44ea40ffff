import Lock from '@mui/icons-material/LockOutlined';
import Person from '@mui/icons-material/PersonOutlined';
import { useEffect, useRef, useState } from 'react';
import type { MouseEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordView, ViewQuery } from '@contract/tables/views';
import type { ContentTable } from '@contract/tables/schemas';
import type { ViewKind } from '@contract/tables/terms';
import { Caret } from '@/ui/Caret';
import { Icon } from '@/ui/Icon';
import { PlainButton } from '@/ui/PlainButton';
import { MenuRow, Popup } from '@/ui/Popup';
import { useMenu } from '@/ui/useMenu';
import { ViewIcon } from './icons';
import { ViewDialog } from './lazyParts';
import { newViewName } from './newView';
import { NewViewMenu } from './NewViewMenu';
import type { ActiveView } from './useActiveView';
import { useViewActions } from './useViewActions';
import type { ViewActions } from './useViewActions';

export type ViewRights = { /** Shared views. */ readonly shares: boolean; readonly locks: boolean };
const mayChange = (view: RecordView, { shares, locks }: ViewRights): boolean => view.scope === 'personal' || (view.scope === 'shared' ? shares : locks);

/** The input of the view dialog. `view` null: a new view. */
type ViewDraft = { readonly kind: ViewKind; readonly query: ViewQuery; readonly view: RecordView | null; readonly title: string };

type TabProps = {
  readonly view: RecordView;
  readonly active: boolean;
  readonly menuOpen: boolean;
  readonly onOpen: () => void;
  readonly onMenu: (event: MouseEvent<HTMLElement>) => void;
};

const ViewTab = ({ view, active, menuOpen, onOpen, onMenu }: TabProps): ReactElement => {
  const { t } = useTranslation('tables');
  return (
    <span className="tables-tab-box">
      <button type="button" className="bare-button tables-tab" aria-current={active ? 'page' : undefined} onClick={onOpen}>
        <ViewIcon kind={view.kind} />
        {view.title}
        {view.scope === 'personal' && <Person titleAccess={t('views.personal')} fontSize="small" style={{ color: 'var(--ink-2)' }} />}
        {view.scope === 'locked' && <Lock titleAccess={t('views.locked')} fontSize="small" style={{ color: 'var(--ink-2)' }} />}
      </button>
      {active && (
        <button
          type="button"
          className="bare-button tables-tab-menu"
          aria-label={t('views.menu', { name: view.title })}
          aria-haspopup="menu"
          aria-expanded={menuOpen}
          onClick={onMenu}
        >
          <Caret />
        </button>
      )}
    </span>
  );
};

type ChangedProps = {
  readonly activeView: ActiveView;
  readonly writable: boolean;
  readonly actions: ViewActions;
  readonly onSaveAs: (draft: Omit<ViewDraft, 'title'>) => void;
};

/** Unsaved changes of the active view: they are saved in it, or as a new view where it may not be changed. */
const ChangedView = ({ activeView, writable, actions, onSaveAs }: ChangedProps): ReactElement => {
  const { t } = useTranslation('tables');
  const { view, query } = activeView;
  return (
    <div className="tables-changed">
      <span role="status">{t('views.changed')}</span>
      {(view === null || writable) && (
        <PlainButton
          data-quiet=""
          onClick={() => (view ? void actions.save(view) : onSaveAs({ kind: 'grid', query, view: null }))}
          aria-busy={actions.isSaving}
        >
          {t(view === null ? 'views.saveAs' : 'views.saveChange')}
        </PlainButton>
      )}
      {view !== null && !writable && (
        <PlainButton data-quiet="" onClick={() => onSaveAs({ kind: view.kind, query, view: null })}>
          {t('views.saveAs')}
        </PlainButton>
      )}
      <PlainButton data-quiet="" onClick={activeView.reset}>
        {t('views.reset')}
      </PlainButton>
    </div>
  );
};

type MenuProps = {
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly view: RecordView;
  readonly views: readonly RecordView[];
  readonly writable: boolean;
  readonly actions: ViewActions;
  readonly onEdit: () => void;
};

const ViewMenu = ({ anchor, onClose, view, views, writable, actions, onEdit }: MenuProps): ReactElement => {
  const { t } = useTranslation('tables');
  const place = views.indexOf(view);
  const choose = (action: () => unknown) => () => {
    onClose();
    action();
  };
  return (
    <Popup anchor={anchor} onClose={onClose} label={t('views.menu', { name: view.title })} role="menu" width={200}>
      {writable && (
        <MenuRow role="menuitem" type="button" onClick={choose(onEdit)}>
          {t('views.edit')}
        </MenuRow>
      )}
      <MenuRow role="menuitem" type="button" onClick={choose(() => void actions.duplicate(view))}>
        {t('views.duplicate')}
      </MenuRow>
      {writable && place > 0 && (
        <MenuRow role="menuitem" type="button" onClick={choose(() => void actions.move(view, -1))}>
          {t('views.left')}
        </MenuRow>
      )}
      {writable && place < views.length - 1 && (
        <MenuRow role="menuitem" type="button" onClick={choose(() => void actions.move(view, 1))}>
          {t('views.right')}
        </MenuRow>
      )}
      {writable && (
        <MenuRow role="menuitem" type="button" onClick={choose(() => void actions.remove(view))} style={{ color: 'var(--bad)' }}>
          {t('views.remove')}
        </MenuRow>
      )}
    </Popup>
  );
};

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly views: readonly RecordView[];
  readonly activeView: ActiveView;
  readonly rights: ViewRights;
  readonly onOpen: (view: string) => void;
};

/** Saved views as tabs; unsaved changes of the active view are indicated, and can be saved or discarded. */
export const ViewTabs = ({ siteId, table, views, activeView, rights, onOpen }: Props): ReactElement => {
  const { t } = useTranslation('tables');
  const adding = useMenu();
  const menu = useMenu();
  const [draft, setDraft] = useState<ViewDraft | null>(null);
  const actions = useViewActions({ siteId, table: table.id, views, activeView, shares: rights.shares, onOpen });
  const row = useRef<HTMLDivElement>(null);
  const { view } = activeView;
  useEffect(() => {
    const box = row.current;
    const current = box?.querySelector('[aria-current]');
    const tab = (current?.closest('.tables-tab-box') ?? current)?.getBoundingClientRect();
    if (box && tab) box.scrollLeft += tab.left - box.getBoundingClientRect().left - (box.clientWidth - tab.width) / 2;
  }, [view?.id]);
  const writable = view !== null && mayChange(view, rights);
  const nameOf = (kind: ViewKind): string =>
    newViewName(
      kind,
      t(`kind.${kind}`),
      views.map(({ title }) => title),
    );
  return (
    <div className="tables-views">
      <nav ref={row} aria-label={t('views.label')}>
        <button type="button" className="bare-button tables-tab" aria-current={view === null ? 'page' : undefined} onClick={() => onOpen('')}>
          <ViewIcon kind="grid" />
          {t('views.plain')}
        </button>
        {views.map((one) => (
          <ViewTab key={one.id} view={one} active={one.id === view?.id} menuOpen={menu.anchor !== null} onOpen={() => onOpen(one.id)} onMenu={menu.toggle} />
        ))}
        <button type="button" className="bare-button tables-tab" aria-haspopup="menu" aria-expanded={adding.anchor !== null} onClick={adding.toggle}>
          <Icon name="plus" size={16} />
          <span className={views.length > 0 ? 'only-read' : ''}>{t('views.add')}</span>
        </button>
      </nav>
      {activeView.changed && (
        <ChangedView activeView={activeView} writable={writable} actions={actions} onSaveAs={(next) => setDraft({ ...next, title: nameOf(next.kind) })} />
      )}
      {adding.anchor && (
        <NewViewMenu
          anchor={adding.anchor}
          table={table}
          onClose={adding.close}
          onAdd={(kind, query) => void actions.add({ kind, query, title: nameOf(kind) })}
        />
      )}
      {menu.anchor && view && (
        <ViewMenu
          anchor={menu.anchor}
          onClose={menu.close}
          view={view}
          views={views}
          writable={writable}
          actions={actions}
          onEdit={() => setDraft({ kind: view.kind, query: view.query, view, title: view.title })}
        />
      )}
      {draft && (
        <ViewDialog
          siteId={siteId}
          table={table.id}
          {...draft}
          rights={rights}
          onClose={() => setDraft(null)}
          onSaved={(saved) => {
            setDraft(null);
            onOpen(saved.id);
          }}
        />
      )}
    </div>
  );
};
