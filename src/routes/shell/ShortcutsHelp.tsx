import { styled } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Kbd } from '@/ui/Kbd';
import { flatTree } from '../paths';
import { allowed } from '../railModel';
import { useRights } from '../useRights';
import { useTrail } from '../useTrail';

const Box = styled('dialog')({
  margin: '14vh auto 0',
  width: 'min(420px, calc(100vw - 24px))',
  padding: '16px 20px 20px',
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
  background: 'var(--canvas)',
  color: 'var(--ink)',
  boxShadow: 'var(--shadow)',
  outline: 'none',
  '&:focus-visible': { outline: 'none' },
  '&::backdrop': { background: 'rgb(0 0 0 / 28%)' },
  '& h2': { fontSize: 'var(--text-section)', marginBottom: 8 },
});
const Row = styled('div')({ display: 'flex', justifyContent: 'space-between', padding: '6px 0', borderTop: '1px solid var(--line)' });

/** `?`: the keyboard shortcuts. */
const ShortcutsHelp = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation(['shell', 'frame', 'nav']);
  const box = useRef<HTMLDialogElement>(null);
  const siteId = useTrail().params['siteId'];
  const rights = useRights(siteId);
  // Outside a site the person's permissions on its sections are unknown: all of them are listed.
  const listed = siteId === undefined ? { ...rights, site: () => true } : rights;
  useEffect(() => box.current?.showModal(), []);
  const rows: [string, string][] = [
    ['mod+k', t('shell:find')],
    ['/', t('frame:help.search')],
    ['?', t('frame:help.title')],
    ['esc', t('frame:help.escape')],
    ...flatTree.flatMap(({ node, trail }): [string, string][] =>
      node.nav?.shortcut === undefined || node.title === undefined || !allowed(trail, listed) ? [] : [[node.nav.shortcut, t(`nav:${node.title}`)]],
    ),
  ];
  return (
    <Box ref={box} aria-labelledby="shortcuts-title" onClose={onClose} onClick={(event) => event.target === box.current && onClose()}>
      <h2 id="shortcuts-title">{t('frame:help.title')}</h2>
      {rows.map(([keys, label]) => (
        <Row key={keys}>
          <span>{label}</span>
          <Kbd keys={keys} spoken />
        </Row>
      ))}
    </Box>
  );
};

export default ShortcutsHelp;
