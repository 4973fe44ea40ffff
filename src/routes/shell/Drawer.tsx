import { keyframes, styled } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Rail } from './Rail';

const slide = keyframes({ from: { transform: 'translateX(-100%)' }, to: { transform: 'none' } });
const Box = styled('dialog')({
  margin: 0,
  padding: 0,
  border: 0,
  borderRight: '1px solid var(--line)',
  width: 'min(280px, 86vw)',
  height: '100dvh',
  maxHeight: 'none',
  background: 'var(--rail)',
  color: 'var(--ink)',
  '&[open]': { animation: `${slide} 180ms var(--ease)` },
  '&:focus-visible': { outline: 'none' },
  '&::backdrop': { background: 'rgb(0 0 0 / 36%)' },
});

/** The rail as a drawer on a phone. */
const Drawer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('shell');
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <Box ref={box} aria-label={t('navigation')} onClose={onClose} onClick={(event) => event.target === box.current && onClose()}>
      <Rail onGo={onClose} />
    </Box>
  );
};

export default Drawer;
