import Ballot from '@mui/icons-material/ViewColumnOutlined';
import Delete from '@mui/icons-material/DeleteOutlineOutlined';
import Download from '@mui/icons-material/FileDownloadOutlined';
import FilterIcon from '@mui/icons-material/FilterListOutlined';
import GroupIcon from '@mui/icons-material/LayersOutlined';
import History from '@mui/icons-material/HistoryOutlined';
import Look from '@mui/icons-material/PaletteOutlined';
import Redo from '@mui/icons-material/RedoOutlined';
import Refresh from '@mui/icons-material/RefreshOutlined';
import Share from '@mui/icons-material/IosShareOutlined';
import Sort from '@mui/icons-material/SwapVertOutlined';
import Tune from '@mui/icons-material/TuneOutlined';
import Undo from '@mui/icons-material/UndoOutlined';
import Upload from '@mui/icons-material/FileUploadOutlined';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { languageName } from '@/lib/languageName';
import { useDebounced } from '@/lib/useDebounced';
import { phone, useMedia } from '@/lib/useMedia';
import { Icon } from '@/ui/Icon';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { SearchBox } from '@/ui/SearchBox';
import type { Address, ChangeAddress } from './address';
import type { FilterContext } from './FilterBuilder';
import { countConditions } from './filterModel';
import type { Group } from './filterModel';
import { FieldsPanel, FilterPanel, GroupPanel, HistoryPanel, LookPanel, SortPanel } from './lazyParts';
import { MoreTools, ToolList } from './MoreTools';
import type { Tool } from './MoreTools';
import { Choose, ToolButton, ToolPanel } from './parts';
import type { Undo as UndoStack } from './useUndo';
import type { ActiveView } from './useActiveView';
import { hiddenFields } from './viewState';

/** A search box that updates the URL after a pause in typing. */
const RecordSearch = ({ value, onChange }: { readonly value: string; readonly onChange: (q: string) => void }): ReactElement => {
  const { t } = useTranslation('tables');
  const [typed, setTyped] = useState(value);
  const [previousValue, setPreviousValue] = useState(value);
  const debouncedText = useDebounced(typed, 300);
  const box = useRef<HTMLInputElement>(null);
  if (previousValue !== value) {
    setPreviousValue(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const put = useEffectEvent((q: string) => {
    if (q !== value) onChange(q);
  });
  useEffect(() => put(debouncedText.trim()), [debouncedText]);
  useEffect(() => {
    const find = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (!box.current || box.current.closest('[aria-hidden="true"]')) return;
      event.preventDefault();
      box.current.select();
    };
    addEventListener('keydown', find);
    return () => removeEventListener('keydown', find);
  }, []);
  return (
    <SearchBox
      inputRef={box}
      label={t('tool.search')}
      value={typed}
      maxLength={200}
      onChange={setTyped}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChange(typed.trim());
      }}
    />
  );
};

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly activeView: ActiveView;
  readonly at: Address;
  readonly change: ChangeAddress;
  readonly context: FilterContext;
  readonly undo: Pick<UndoStack, 'canUndo' | 'canRedo'> & { readonly undo: () => void; readonly redo: () => void };
  readonly mayAdd: boolean;
  readonly mayBin: boolean;
  /** An initial filter, for which the builder opens immediately. */ readonly initialFilter: Group | null;
  readonly onInitialFilterOpened: () => void;
  readonly onAdd: () => void;
  readonly onRefresh: () => void;
  /** null: records may not be written. */ readonly onImport: (() => void) | null;
  readonly onExport: () => void;
  /** null: the user may not share. */ readonly onShare: (() => void) | null;
  /** Number of records, and saving status. */ readonly status: ReactNode;
  /** Publishes what is not published; null: nothing of the kind. */ readonly publishing: ReactNode;
};

const Tools = ({ table, activeView, at, change, context, initialFilter, onInitialFilterOpened: onWanted }: Props): ReactElement => {
  const { t, i18n } = useTranslation('tables');
  const { query, kind } = activeView;
  const panel = { table, query, change: activeView.change };
  const small = { fontSize: 'var(--text-section)' };
  const list = kind === 'grid' || kind === 'gallery' || kind === 'kanban';
  return (
    <>
      {kind !== 'form' && (
        <ToolPanel
          name={t('tool.filter')}
          icon={<FilterIcon style={small} />}
          count={countConditions(query.filter)}
          width={620}
          opened={initialFilter !== null}
          onClosed={onWanted}
        >
          {() => <FilterPanel key={initialFilter?.id ?? ''} table={table} activeView={activeView} context={context} initialFilter={initialFilter} />}
        </ToolPanel>
      )}
      {list && (
        <ToolPanel name={t('tool.sort')} icon={<Sort style={small} />} count={query.sort.length} width={420}>
          {() => <SortPanel {...panel} />}
        </ToolPanel>
      )}
      {kind === 'grid' && (
        <ToolPanel name={t('tool.group')} icon={<GroupIcon style={small} />} count={query.group.length} width={320}>
          {() => <GroupPanel {...panel} />}
        </ToolPanel>
      )}
      <ToolPanel name={t('tool.fields')} icon={<Ballot style={small} />} count={hiddenFields(table, query)} width={300}>
        {() => <FieldsPanel {...panel} />}
      </ToolPanel>
      {table.locales.length > 1 && (
        <Choose
          label={t('tool.lang')}
          value={at.lang === '' ? (table.locales[0] ?? '') : at.lang}
          options={table.locales.map((id) => ({ id, name: languageName(id, i18n.language) }))}
          onChange={(id) => change({ lang: id === table.locales[0] ? '' : id })}
        />
      )}
    </>
  );
};

/** The toolbar: search, the four main tools with their names, publishing; the other tools are in a menu. On phones they are all in a sheet. */
export const Toolbar = (props: Props): ReactElement => {
  const { siteId, table, activeView, at, change, undo, mayAdd, mayBin, onAdd, onRefresh, onImport, onExport, onShare, status, publishing } = props;
  const { t } = useTranslation('tables');
  const onPhone = useMedia(phone);
  const [sheet, setSheet] = useState(false);
  const small = { fontSize: 'var(--text-section)' };
  const kind = at.trash ? 'grid' : activeView.kind;
  const panel = { table, query: activeView.query, change: activeView.change };
  const inForce = countConditions(activeView.query.filter) + activeView.query.sort.length + activeView.query.group.length;
  const showBin = (inBin: boolean): void => {
    change({ trash: inBin, filter: '', q: '', group: '' });
    // The pressed button no longer exists.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('h1[data-page-heading]')?.focus({ preventScroll: true }));
  };
  const tools: readonly Tool[] = [
    { id: 'redo', name: t('tool.redo'), keys: 'Ctrl+Y', icon: <Redo style={small} />, disabled: !undo.canRedo, onPress: undo.redo },
    { id: 'look', name: t('tool.look'), icon: <Look style={small} />, width: 300, panel: () => <LookPanel {...panel} kind={kind} /> },
    {
      id: 'history',
      name: t('tool.history'),
      icon: <History style={small} />,
      width: 340,
      panel: () => <HistoryPanel siteId={siteId} table={table.id} onUndone={onRefresh} />,
    },
    ...(onImport && !at.trash ? [{ id: 'import', name: t('tool.import'), icon: <Upload style={small} />, onPress: onImport }] : []),
    ...(kind === 'form' ? [] : [{ id: 'export', name: t('tool.export'), icon: <Download style={small} />, onPress: onExport }]),
    ...(onShare && !at.trash ? [{ id: 'share', name: t('tool.share'), icon: <Share style={small} />, onPress: onShare }] : []),
    ...(mayBin && !at.trash ? [{ id: 'bin', name: t('tool.bin'), icon: <Delete style={small} />, onPress: () => showBin(true) }] : []),
    { id: 'refresh', name: t('tool.refresh'), icon: <Refresh style={small} />, onPress: onRefresh },
  ];
  const bar = (
    <div className="tables-tools" role="toolbar" aria-label={t('tool.label')}>
      {kind !== 'form' && <RecordSearch value={at.q} onChange={(q) => change({ q }, 'replace')} />}
      {onPhone ? (
        <ToolButton bare name={t('tool.all')} icon={<Tune style={small} />} count={inForce} open={sheet} onPress={() => setSheet(!sheet)} />
      ) : (
        <Tools {...props} />
      )}
      <span className="tables-side">
        {status}
        <ToolButton bare name={t('tool.undo')} hint={`${t('tool.undo')} (Ctrl+Z)`} icon={<Undo style={small} />} disabled={!undo.canUndo} onPress={undo.undo} />
        {!onPhone && <MoreTools tools={tools} />}
        {at.trash && <PlainButton onClick={() => showBin(false)}>{t('tool.leaveBin')}</PlainButton>}
        {publishing}
        {mayAdd && !at.trash && kind !== 'form' && (
          <PlainButton data-primary="" onClick={onAdd}>
            <Icon name="plus" size={16} />
            <span>{t('tool.addRecord')}</span>
          </PlainButton>
        )}
      </span>
    </div>
  );
  return (
    <>
      {bar}
      {onPhone && sheet && (
        <ToolSheet name={t('tool.all')} onClose={() => setSheet(false)}>
          <Tools {...props} />
          <ToolList tools={tools} />
        </ToolSheet>
      )}
    </>
  );
};

/** A bottom sheet on phones; the list above it stays visible and shows the effect of each choice. */
const ToolSheet = ({ name, onClose, children }: { readonly name: string; readonly onClose: () => void; readonly children: ReactNode }): ReactElement => {
  const { t } = useTranslation('tables');
  const sheet = useRef<HTMLDialogElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const before = document.activeElement;
    sheet.current?.querySelector<HTMLElement>('button, select')?.focus();
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) close();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
      // Returns the focus to the opener, unless it has been moved on purpose.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={sheet} open className="tables-sheet" aria-label={name}>
      {children}
      <IconButton label={t('close')} onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </dialog>
  );
};
