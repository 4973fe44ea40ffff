import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';

const Bar = styled('div')({
  position: 'sticky',
  bottom: 0,
  zIndex: 5,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  padding: '12px 0',
  marginTop: 24,
  background: 'var(--canvas)',
  borderTop: '1px solid var(--line)',
  '& > span': { marginRight: 'auto', color: 'var(--ink-2)' },
});

/** Appears when something changed; the saving button submits the form it stands in. It stays enabled: errors are shown on pressing it. */
export const SaveBar = ({ dirty, saving = false, onDiscard, saveLabel }: { dirty: boolean; saving?: boolean; onDiscard: () => void; saveLabel?: string }) => {
  const { t } = useTranslation('ui');
  if (!dirty && !saving) return null;
  return (
    <Bar role="region" aria-label={t('unsaved')}>
      <span>{t('unsaved')}</span>
      <Button type="button" onClick={onDiscard} disabled={saving}>
        {t('discard')}
      </Button>
      <Button type="submit" variant="contained" aria-busy={saving}>
        {saving ? t('saving') : (saveLabel ?? t('save'))}
      </Button>
    </Bar>
  );
};
