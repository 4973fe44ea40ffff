import { styled } from '@mui/material/styles';
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { recentCommands } from '@/lib/recent';
import { Icon } from '@/ui/Icon';
import { Kbd } from '@/ui/Kbd';
import { SearchIcon } from '@/ui/SearchIcon';
import { rank } from './entries';
import type { PaletteEntry } from './entries';

const Box = styled('dialog')({
  margin: '12vh auto 0',
  padding: 0,
  width: 'min(600px, calc(100vw - 24px))',
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
  background: 'var(--canvas)',
  color: 'var(--ink)',
  boxShadow: 'var(--shadow)',
  overflow: 'hidden',
  '&::backdrop': { background: 'rgb(0 0 0 / 28%)' },
  ':root[data-scheme="dark"] &': { background: 'var(--n-1)' },
});
const Field = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  padding: '0 16px',
  borderBottom: '1px solid var(--line)',
  color: 'var(--ink-2)',
  '& input': { flex: 1, height: 52, border: 0, outline: 0, background: 'transparent', color: 'var(--ink)', fontSize: 'var(--text-section)', minWidth: 0 },
});
const List = styled('ul')({ listStyle: 'none', padding: '6px 6px 10px', maxHeight: 'min(420px, 56vh)', overflow: 'auto' });
const Head = styled('li')({ padding: '10px 10px 4px', fontSize: 'var(--text-secondary)', color: 'var(--ink-2)' });
const Row = styled('li')({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minHeight: 36,
  padding: '4px 10px',
  borderRadius: 'var(--radius)',
  cursor: 'pointer',
  '& > svg': { color: 'var(--ink-2)' },
  '& > small': { color: 'var(--ink-2)', fontSize: 'var(--text-secondary)', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  '& > .kbd': { marginLeft: 'auto' },
  '& > span:first-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '&[aria-selected="true"]': { background: 'var(--hover)' },
  '@media (pointer: coarse)': { minHeight: 44 },
});
const None = styled('p')({ padding: '24px 16px 28px', color: 'var(--ink-2)', textAlign: 'center' });

const EntryText = ({ entry }: { entry: PaletteEntry }) => (
  <>
    <Icon name={entry.icon} />
    <span>{entry.label}</span>
    {entry.detail !== undefined && <small>{entry.detail}</small>}
    {entry.shortcut !== undefined && <Kbd keys={entry.shortcut} />}
  </>
);

/** Ctrl/⌘ K: pages, sites and actions by name, part of a name, or pinyin initials. */
const Palette = ({ entries, onClose }: { entries: readonly PaletteEntry[]; onClose: () => void }) => {
  const { t } = useTranslation('frame');
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const [recentIds] = useState(() => recentCommands.read());
  const groups = rank(entries, useDeferredValue(query), recentIds);
  const flat = groups.flatMap((group) => group.entries);
  const chosen = Math.min(at, flat.length - 1);

  useEffect(() => box.current?.showModal(), []);
  // Braces: newer browsers return a promise from scrollIntoView, which an effect must not return.
  useEffect(() => {
    document.getElementById(`${id}-${String(chosen)}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen, id]);

  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    recentCommands.add(entry.id);
    onClose();
    entry.run();
  };
  const press = (event: KeyboardEvent) => {
    // Selecting an input method candidate does not select a row.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + flat.length) % Math.max(1, flat.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(flat[chosen]);
    }
  };
  return (
    <Box ref={box} aria-label={t('palette.title')} onClose={onClose} onClick={(event) => event.target === box.current && onClose()}>
      <Field>
        <SearchIcon />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={flat.length > 0 ? `${id}-${String(chosen)}` : undefined}
          aria-label={t('palette.title')}
          placeholder={t('palette.placeholder')}
          value={query}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <Kbd keys="esc" />
      </Field>
      {flat.length === 0 && <None role="status">{t('palette.none', { query })}</None>}
      <List id={id} role="listbox" aria-label={t('palette.title')}>
        {groups.flatMap((group) => [
          <Head key={group.kind} role="presentation">
            {t(`palette.kind.${group.kind}`)}
          </Head>,
          ...group.entries.map((entry) => {
            const own = flat.indexOf(entry);
            return (
              <Row
                key={entry.id}
                id={`${id}-${String(own)}`}
                role="option"
                aria-selected={own === chosen}
                onPointerMove={() => setAt(own)}
                onClick={() => run(entry)}
              >
                <EntryText entry={entry} />
              </Row>
            );
          }),
        ])}
      </List>
    </Box>
  );
};

export default Palette;
