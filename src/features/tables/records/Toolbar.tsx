import Ballot from '@mui/icons-material/ViewColumnOutlined';
import Delete from '@mui/icons-material/DeleteOutlineOutlined';
import Download from '@mui/icons-material/FileDownloadOutlined';
import FilterIcon from '@mui/icons-material/FilterListOutlined';
import GroupIcon from '@mui/icons-material/LayersOutlined';
import History from '@mui/icons-material/HistoryOutlined';
import Look from '@mui/icons-material/PaletteOutlined';
import Redo from '@mui/icons-material/RedoOutlined';
import Refresh from '@mui/icons-material/RefreshOutlined';
import Search from '@mui/icons-material/SearchOutlined';
import Share from '@mui/icons-material/IosShareOutlined';
import Sort from '@mui/icons-material/SwapVertOutlined';
import Tune from '@mui/icons-material/TuneOutlined';
import Undo from '@mui/icons-material/UndoOutlined';
import Upload from '@mui/icons-material/FileUploadOutlined';
import { Button } from '@mui/material';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { languageName } from '@/lib/languageName';
import { useDebounced } from '@/lib/useDebounced';
import { phone, useMedia } from '@/lib/useMedia';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import type { Address, ChangeAddress } from './address';
import { FilterBuilder } from './FilterBuilder';
import type { FilterScene } from './FilterBuilder';
import { countConditions, fromFilter, toFilter } from './filterModel';
import type { Group } from './filterModel';
import { HistoryPanel } from './HistoryPanel';
import { FieldsPanel, GroupPanel, LookPanel, SortPanel } from './panels';
import { Choose, ToolButton, ToolPanel } from './parts';
import type { Undo as UndoStack } from './useUndo';
import type { Looking } from './useView';
import { same } from './viewState';

/** Words in the address once typing rests. */
const SearchBox = ({ value, onChange }: { readonly value: string; readonly onChange: (q: string) => void }): ReactElement => {
  const { t } = useTranslation('tables');
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const settled = useDebounced(typed, 300);
  const box = useRef<HTMLInputElement>(null);
  if (seen !== value) {
    setSeen(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const put = useEffectEvent((q: string) => {
    if (q !== value) onChange(q);
  });
  useEffect(() => put(settled.trim()), [settled]);
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
    <span className="tables-search">
      <Search aria-hidden="true" sx={{ fontSize: 16 }} />
      <input
        ref={box}
        type="search"
        aria-label={t('tool.search')}
        placeholder={t('tool.search')}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(typed.trim());
        }}
      />
    </span>
  );
};

/** The builder keeps what is not complete while it is open; the list is asked once typing rests. */
const FilterPanel = ({
  table,
  looking,
  scene,
  wanted,
}: {
  readonly table: ContentTable;
  readonly looking: Looking;
  readonly scene: FilterScene;
  readonly wanted: Group | null;
}): ReactElement => {
  const [draft, setDraft] = useState<Group>(() => wanted ?? fromFilter(looking.query.filter));
  const settled = useDebounced(draft, 350);
  const put = useEffectEvent((next: Group) => {
    const filter = toFilter(next);
    if (!same(filter, looking.query.filter)) looking.change({ filter }, 'replace');
  });
  useEffect(() => put(settled), [settled]);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const leave = useEffectEvent(() => put(latest.current));
  useEffect(() => () => leave(), []);
  return <FilterBuilder draft={draft} table={table} scene={scene} onChange={setDraft} />;
};

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly looking: Looking;
  readonly at: Address;
  readonly change: ChangeAddress;
  readonly scene: FilterScene;
  readonly undo: Pick<UndoStack, 'canUndo' | 'canRedo'> & { readonly undo: () => void; readonly redo: () => void };
  readonly mayAdd: boolean;
  readonly mayTrash: boolean;
  /** A filter to begin with: the builder opens by itself. */ readonly wanted: Group | null;
  readonly onWanted: () => void;
  readonly onAdd: () => void;
  readonly onRefresh: () => void;
  /** null: it may not be written into. */ readonly onImport: (() => void) | null;
  readonly onExport: () => void;
  /** null: nothing may be shared. */ readonly onShare: (() => void) | null;
  /** How many there are, and whether all is saved. */ readonly status: ReactNode;
};

const Tools = ({ table, looking, at, change, scene, wanted, onWanted }: Props): ReactElement => {
  const { t, i18n } = useTranslation('tables');
  const { query, kind } = looking;
  const panel = { table, query, change: looking.change };
  const small = { fontSize: 17 };
  const list = kind === 'grid' || kind === 'gallery' || kind === 'kanban';
  return (
    <>
      {kind !== 'form' && (
        <ToolPanel
          name={t('tool.filter')}
          icon={<FilterIcon sx={small} />}
          count={countConditions(query.filter)}
          width={620}
          opened={wanted !== null}
          onClosed={onWanted}
        >
          {() => <FilterPanel key={wanted?.id ?? ''} table={table} looking={looking} scene={scene} wanted={wanted} />}
        </ToolPanel>
      )}
      {list && (
        <ToolPanel name={t('tool.sort')} icon={<Sort sx={small} />} count={query.sort.length} width={420}>
          {() => <SortPanel {...panel} />}
        </ToolPanel>
      )}
      {kind === 'grid' && (
        <ToolPanel folds name={t('tool.group')} icon={<GroupIcon sx={small} />} count={query.group.length} width={320}>
          {() => <GroupPanel {...panel} />}
        </ToolPanel>
      )}
      <ToolPanel folds name={t('tool.fields')} icon={<Ballot sx={small} />} width={300}>
        {() => <FieldsPanel {...panel} />}
      </ToolPanel>
      <ToolPanel folds name={t('tool.look')} icon={<Look sx={small} />} width={300}>
        {() => <LookPanel {...panel} kind={kind} />}
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

/** One row: find, narrow, arrange, take back. On a phone what arranges is in a sheet. */
export const Toolbar = (props: Props): ReactElement => {
  const { siteId, table, looking, at, change, undo, mayAdd, mayTrash, onAdd, onRefresh, onImport, onExport, onShare, status } = props;
  const { t } = useTranslation('tables');
  const onPhone = useMedia(phone);
  const [sheet, setSheet] = useState(false);
  const small = { fontSize: 17 };
  const kind = at.trash ? 'grid' : looking.kind;
  const inForce = countConditions(looking.query.filter) + looking.query.sort.length + looking.query.group.length;
  const bin = (trash: boolean): void => {
    change({ trash, filter: '', q: '', group: '' });
    // The button that was pressed is not there any more.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('h1[data-page-heading]')?.focus({ preventScroll: true }));
  };
  /** Used less often: on a phone in the sheet, where there is room for words. */
  const rest = (
    <>
      <ToolButton
        bare={!onPhone}
        name={t('tool.redo')}
        hint={`${t('tool.redo')} (Ctrl+Y)`}
        icon={<Redo sx={small} />}
        disabled={!undo.canRedo}
        onPress={undo.redo}
      />
      <ToolPanel bare={!onPhone} name={t('tool.history')} icon={<History sx={small} />} width={340}>
        {() => <HistoryPanel siteId={siteId} table={table.id} onUndone={onRefresh} />}
      </ToolPanel>
      {onImport && !at.trash && <ToolButton bare={!onPhone} name={t('tool.import')} icon={<Upload sx={small} />} open={at.import !== ''} onPress={onImport} />}
      {kind !== 'form' && <ToolButton bare={!onPhone} name={t('tool.export')} icon={<Download sx={small} />} open={at.export} onPress={onExport} />}
      {onShare && !at.trash && <ToolButton bare={!onPhone} name={t('tool.share')} icon={<Share sx={small} />} onPress={onShare} />}
      {mayTrash && !at.trash && <ToolButton bare={!onPhone} name={t('tool.trash')} icon={<Delete sx={small} />} onPress={() => bin(true)} />}
      <ToolButton bare={!onPhone} name={t('tool.refresh')} icon={<Refresh sx={small} />} onPress={onRefresh} />
    </>
  );
  const bar = (
    <div className="tables-tools" role="toolbar" aria-label={t('tool.label')}>
      {kind !== 'form' && <SearchBox value={at.q} onChange={(q) => change({ q }, 'replace')} />}
      {onPhone ? (
        <ToolButton bare name={t('tool.all')} icon={<Tune sx={small} />} count={inForce} open={sheet} onPress={() => setSheet(!sheet)} />
      ) : (
        <Tools {...props} />
      )}
      <span className="tables-side">
        {status}
        <ToolButton bare name={t('tool.undo')} hint={`${t('tool.undo')} (Ctrl+Z)`} icon={<Undo sx={small} />} disabled={!undo.canUndo} onPress={undo.undo} />
        {!onPhone && rest}
        {at.trash && (
          <Button size="small" variant="outlined" onClick={() => bin(false)} className="tables-leave">
            {t('tool.leaveTrash')}
          </Button>
        )}
        {mayAdd && !at.trash && kind !== 'form' && (
          <Button size="small" variant="contained" onClick={onAdd} startIcon={<Icon name="plus" size={16} />} className="tables-add">
            <span>{t('tool.addRecord')}</span>
          </Button>
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
          {rest}
        </ToolSheet>
      )}
    </>
  );
};

/** At the foot of a phone; the list above it stays in sight and shows what each choice does. */
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
      // Back to what opened it, unless the focus has gone elsewhere on purpose.
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
