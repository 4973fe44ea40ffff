import { useTranslation } from 'react-i18next';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { notifyRemoved } from './removalUndo';
import type { RemovedDefinition } from './removalUndo';
import { useInsightNotices } from './useConditionLabels';

/** Removes one definition after a confirmation and shows the result in a notice, which offers to restore it; resolves to whether it was removed. */
export const useRemoval = () => {
  const { t } = useTranslation('insights');
  const dispatch = useAppDispatch();
  const notify = useInsightNotices();
  const confirm = useConfirm();
  return async (
    question: { readonly title: string; readonly body: string },
    remove: () => PromiseLike<{ readonly error?: unknown }>,
    [key, values = {}]: readonly [key: string, values?: Readonly<Record<string, string | number>>],
    removed: RemovedDefinition,
  ): Promise<boolean> => {
    if (!(await confirm({ ...question, confirm: t('edit.remove'), danger: true }))) return false;
    const { error } = await remove();
    if (error !== undefined) notify.bad(error);
    else notifyRemoved(dispatch, { key: `insights:${key}`, values }, removed);
    return error === undefined;
  };
};
