import { useTranslation } from 'react-i18next';
import { useConfirm } from '@/ui/confirmContext';
import { useInsightNotices } from './useConditionLabels';

/** Removes one definition after a confirmation and shows the result in a notice; resolves to whether it was removed. */
export const useRemoval = () => {
  const { t } = useTranslation('insights');
  const notify = useInsightNotices();
  const confirm = useConfirm();
  return async (
    question: { readonly title: string; readonly body: string },
    remove: () => PromiseLike<{ readonly error?: unknown }>,
    notice: Parameters<typeof notify.good>,
  ): Promise<boolean> => {
    if (!(await confirm({ ...question, confirm: t('edit.remove'), danger: true }))) return false;
    const { error } = await remove();
    if (error === undefined) notify.good(...notice);
    else notify.bad(error);
    return error === undefined;
  };
};
