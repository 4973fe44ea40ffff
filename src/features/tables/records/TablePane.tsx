import { useState } from 'react';
import type { CSSProperties, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { phone, useMedia } from '@/lib/useMedia';
import { useRemembered } from '@/lib/useRemembered';
import { Caret } from '@/ui/Caret';
import { Icon } from '@/ui/Icon';
import { PaneBorder, usePaneWidth } from '@/ui/PaneBorder';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { SearchBox } from '@/ui/SearchBox';
import { TablesDrawer } from './lazyParts';
import { TableIcon } from './tableIcon';

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
  const pane = usePaneWidth('tablesPane', { least: 160, most: 400, initial: 208 });
  const onPhone = useMedia(phone);
  if (onPhone) return <PhonePane {...props} />;
  if (folded === 'yes')
    return (
      <div className="tables-strip">
        <IconButton label={t('tables.unfold')} onClick={() => setFolded('no')}>
          <Icon name="fold" size={16} />
        </IconButton>
      </div>
    );
  return (
    <div className="tables-pane" style={{ '--pane': `${String(pane.width)}px` } as CSSProperties}>
      <List {...props} onFold={() => setFolded('yes')} />
      <PaneBorder label={t('tables.width')} pane={pane} />
    </div>
  );
};
