import type { Condition, Goal } from '@contract/insights/schemas';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { normalizePath } from '@contract/paths';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';

/** Conditions and worths in words. */
export const useConditionWords = () => {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const condition = (one: Condition): string => {
    if (one.kind === 'page') return t('condition.pageWords', { match: t(`match.${one.match}`), path: normalizePath(one.path) });
    if (one.property === null) return t('condition.eventWords', { event: one.event });
    const { name, op, value } = one.property;
    return t('condition.propertyWords', { event: one.event, name, op: t(`op.${op}`), value });
  };
  const worth = ({ worth: of }: Goal): string =>
    of.kind === 'none'
      ? ''
      : of.kind === 'fixed'
        ? t('worth.fixedWords', { amount: format.number(of.amount) })
        : t('worth.propertyWords', { name: of.property });
  return { condition, worth };
};

/** Says how an act went, in a notice. */
export const useTell = () => {
  const dispatch = useAppDispatch();
  return {
    good: useCallback(
      (key: string, values: Readonly<Record<string, string | number>> = {}) =>
        void dispatch(noticeShown({ tone: 'good', words: { key: `insights:${key}`, values } })),
      [dispatch],
    ),
    bad: useCallback(
      (error: unknown) => {
        if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
      },
      [dispatch],
    ),
  };
};
