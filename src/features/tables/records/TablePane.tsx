import { useRef, useState } from 'react';
import type { CSSProperties, KeyboardEvent, PointerEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { phone, useMedia } from '@/lib/useMedia';
import { useRemembered } from '@/lib/useRemembered';
import { Caret } from '@/ui/Caret';
import { Icon } from '@/ui/Icon';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { SearchBox } from '@/ui/SearchBox';
import { TablesDrawer } from './lazyParts';
import { TableIcon } from './tableIcon';

const least = 160;
const most = 400;
const widthKey = 'console:tablesPane';
const remembered = (): number => {
  try {
    const value = Number(localStorage.getItem(widthKey));
    return value >= least && value <= most ? value : 208;
  } catch {
    return 208;
  }
};

type Props = {
  readonly tables: readonly ContentTable[];
  readonly current: string | null;
  readonly mayDesign: boolean;
  readonly onOpen: (id: string) => void;
  readonly onAdd: () => void;
};

const List = ({ tables, current, mayDesign, onOpen, onAdd, onFold }: Props & { readonly onFold: (() => void) | null }): ReactElement => {
  const { t } = useTranslation('tables');
  const [typed, setTyped] = useState('');
  const search = typed.trim().toLowerCase();
  const visibleTables = tables.filter(({ title, key }) => title.toLowerCase().includes(search) || key.includes(search));
  return (
    <>
      <div className="tables-find">
        <SearchBox wide label={t('tables.find')} value={typed} onChange={setTyped} />
        {onFold && (
          <IconButton label={t('tables.fold')} onClick={onFold}>
            <Icon name="fold" size={16} />
          </IconButton>
        )}
      </div>
      <nav aria-label={t('tables.label')}>
        {visibleTables.map(({ id, title, icon }) => (
          <button key={id} type="button" className="bare-button tables-item" aria-current={id === current ? 'page' : undefined} onClick={() => onOpen(id)}>
            <TableIcon icon={icon} />
            <span>{title}</span>
          </button>
        ))}
        {visibleTables.length === 0 && <p className="tables-quiet">{t('tables.noneFound')}</p>}
      </nav>
      {mayDesign && (
        <div className="tables-new">
          <PlainButton data-quiet="" onClick={onAdd}>
            <Icon name="plus" size={16} />
            {t('tables.add')}
          </PlainButton>
        </div>
      )}
    </>
  );
};

/** On phones the list is a drawer that the title of the open table opens. */
const PhonePane = (props: Props): ReactElement => {
  const { t } = useTranslation('tables');
  const [open, setOpen] = useState(false);
  const table = props.tables.find(({ id }) => id === props.current);
  return (
    <>
      <PlainButton data-quiet="" onClick={() => setOpen(true)} aria-haspopup="dialog" className="plain-button tables-switch">
        <TableIcon icon={table?.icon ?? ''} />
        <span>{table?.title ?? t('tables.choose')}</span>
        <Caret />
      </PlainButton>
      {open && (
        <TablesDrawer label={t('tables.choose')} onClose={() => setOpen(false)}>
          <div className="tables-pane" style={{ border: 0, height: '100%' }}>
            <List
              {...props}
              onFold={null}
              onOpen={(id) => {
                setOpen(false);
                props.onOpen(id);
              }}
              onAdd={() => {
                setOpen(false);
                props.onAdd();
              }}
            />
          </div>
        </TablesDrawer>
      )}
    </>
  );
};

/**
 * The list of the site's tables at the left. Its width is changed by dragging or with arrow keys, and remembered; collapsed it is a strip. On phones it is a
 * drawer.
 */
export const TablePane = (props: Props): ReactElement => {
  const { t } = useTranslation('tables');
  const [folded, setFolded] = useRemembered('tablesFolded', ['yes', 'no'], 'no');
  const [width, setWidth] = useState(remembered);
  const onPhone = useMedia(phone);
  const held = useRef<{ x: number; width: number } | null>(null);
  const keep = (next: number): void => {
    const value = Math.round(Math.min(most, Math.max(least, next)));
    setWidth(value);
    try {
      localStorage.setItem(widthKey, String(value));
    } catch {
      // Without storage, the setting lasts until the page is left.
    }
  };
  if (onPhone) return <PhonePane {...props} />;
  if (folded === 'yes')
    return (
      <div className="tables-strip">
        <IconButton label={t('tables.unfold')} onClick={() => setFolded('no')}>
          <Icon name="fold" size={16} />
        </IconButton>
      </div>
    );
  const pull = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      held.current = { x: event.clientX, width };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (held.current) keep(held.current.width + event.clientX - held.current.x);
    },
    onPointerUp: () => {
      held.current = null;
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      keep(width + step);
    },
  };
  return (
    <div className="tables-pane" style={{ '--pane': `${String(width)}px` } as CSSProperties}>
      <List {...props} onFold={() => setFolded('yes')} />
      <div
        className="tables-border"
        role="separator"
        aria-orientation="vertical"
        aria-label={t('tables.width')}
        aria-valuemin={least}
        aria-valuemax={most}
        aria-valuenow={width}
        tabIndex={0}
        {...pull}
      />
    </div>
  );
};
