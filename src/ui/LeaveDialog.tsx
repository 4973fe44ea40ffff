import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Blocker } from 'react-router-dom';
import { useConfirm } from './confirmContext';

/** Confirms before unsaved changes are discarded; `blocker` is what `useUnsavedGuard` returns. */
export const LeaveDialog = ({ blocker }: { blocker: Blocker }) => {
  const { t } = useTranslation('ui');
  const confirm = useConfirm();
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm({ title: t('leaveTitle'), body: t('leaveBody'), confirm: t('leave'), cancel: t('stay'), danger: true }).then((leave) => {
      if (blocker.state !== 'blocked') return;
      if (leave) blocker.proceed();
      else blocker.reset();
    });
  }, [blocker, confirm, t]);
  return null;
};
