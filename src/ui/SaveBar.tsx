import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useLayoutEffect, useRef } from 'react';
import type { FocusEvent, ReactElement, ReactNode } from 'react';
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

/** Remembers where the focus was before it entered the bar, and restores it if the bar is removed while focused. */
function FocusKeeper({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  const bar = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const node = bar.current;
    const around = node?.closest<HTMLElement>('section, form') ?? null;
    return () => {
      if (!node?.contains(document.activeElement)) return;
      const from = before.current;
      // After the commit: React receives no focus events during it.
      queueMicrotask(() => {
        if (from?.isConnected) from.focus();
        if (document.activeElement !== document.body || !around?.isConnected) return;
        around.tabIndex = -1;
        around.focus({ preventScroll: true });
      });
    };
  }, []);
  const onFocus = (event: FocusEvent<HTMLDivElement>) => {
    if (event.relatedTarget instanceof HTMLElement && !event.currentTarget.contains(event.relatedTarget)) before.current = event.relatedTarget;
  };
  return (
    <Bar ref={bar} className="bottom-bar" role="region" aria-label={label} onFocus={onFocus}>
      {children}
    </Bar>
  );
}

/** Appears when something changed; the save button submits the surrounding form. It stays enabled: errors are shown on click. */
export const SaveBar = ({
  dirty,
  saving = false,
  onDiscard,
  saveLabel,
  tools,
}: {
  dirty: boolean;
  saving?: boolean;
  onDiscard: () => void;
  saveLabel?: string;
  /** Before the button that discards. */
  tools?: ReactNode;
}) => {
  const { t } = useTranslation('ui');
  if (!dirty && !saving) return null;
  return (
    <FocusKeeper label={t('unsaved')}>
      <span>{t('unsaved')}</span>
      {tools}
      <Button type="button" onClick={onDiscard} disabled={saving}>
        {t('discard')}
      </Button>
      <Button type="submit" variant="contained" aria-busy={saving} onClick={(event) => saving && event.preventDefault()}>
        {saving ? t('saving') : (saveLabel ?? t('save'))}
      </Button>
    </FocusKeeper>
  );
};
