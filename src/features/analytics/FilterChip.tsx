import CloseIcon from '@mui/icons-material/CloseOutlined';
import { styled } from '@mui/material/styles';
import type { MouseEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

const Chip = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  maxWidth: 360,
  minHeight: 28,
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
  background: 'var(--n-1)',
  fontSize: 'var(--text-table)',
});
const Part = styled('button')({
  border: 0,
  background: 'none',
  color: 'inherit',
  cursor: 'pointer',
  padding: '3px 8px',
  borderRadius: 'var(--radius)',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  minWidth: 0,
  '&:hover': { background: 'var(--hover)' },
  '@media (pointer: coarse)': { minHeight: 40 },
});
const Close = styled(Part)({ padding: '3px 5px', display: 'inline-flex', color: 'var(--ink-2)', flex: 'none', '& svg': { fontSize: 'var(--text-body)' } });

/** One filter as text: a click on the text edits it, the cross removes it. */
export const FilterChip = ({
  text,
  onEdit,
  onRemove,
}: {
  text: string;
  onEdit: (event: MouseEvent<HTMLElement>) => void;
  onRemove: () => void;
}): ReactElement => {
  const { t } = useTranslation('analytics');
  return (
    <Chip>
      <Part type="button" aria-haspopup="dialog" aria-label={t('filter.edit', { filter: text })} title={text} onClick={onEdit}>
        {text}
      </Part>
      <Close type="button" aria-label={t('filter.remove', { filter: text })} onClick={onRemove}>
        <CloseIcon />
      </Close>
    </Chip>
  );
};
