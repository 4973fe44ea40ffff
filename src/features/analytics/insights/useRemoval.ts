import { useTranslation } from 'react-i18next';
import { useConfirm } from '@/ui/confirmContext';
import { useTell } from './useConditionLabels';

/** Removes one definition after a confirmation and shows the result in a notice; resolves to whether it was removed. */
export const useRemoval = () => {
  const { t } = useTranslation('insights');
  const tell = useTell();
  const confirm = useConfirm();
  return async (
    question: { readonly title: string; readonly body: string },
    remove: () => PromiseLike<{ readonly error?: unknown }>,
    notice: Parameters<typeof tell.good>,
  ): Promise<boolean> => {
    if (!(await confirm({ ...question, confirm: t('edit.remove'), danger: true }))) return false;
    const { error } = await remove();
    if (error === undefined) tell.good(...notice);
    else tell.bad(error);
    return error === undefined;
  };
};
