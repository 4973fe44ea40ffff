import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Blocker } from 'react-router-dom';
import { answerBlocker } from '@/lib/useUnsavedGuard';
import { useConfirm } from './confirmContext';

/** Confirms before unsaved changes are discarded; `blocker` is what `useUnsavedGuard` returns. */
export const LeaveDialog = ({ blocker }: { blocker: Blocker }) => {
  const { t } = useTranslation('ui');
  const confirm = useConfirm();
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm({ title: t('leaveTitle'), body: t('leaveBody'), confirm: t('leave'), cancel: t('stay'), danger: true }).then((leave) =>
      answerBlocker(blocker, leave),
    );
  }, [blocker, confirm, t]);
  return null;
};
