import type { Condition, Goal } from '@contract/insights/schemas';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { normalizePath } from '@contract/paths';
import { useAppDispatch } from '@/store/hooks';

/** Conditions and worths as text. */
export const useConditionLabels = () => {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const condition = (one: Condition): string => {
    if (one.kind === 'page') return t('condition.pageText', { match: t(`match.${one.match}`), path: normalizePath(one.path) });
    if (one.property === null) return t('condition.eventText', { event: one.event });
    const { name, op, value } = one.property;
    return t('condition.propertyText', { event: one.event, name, op: t(`op.${op}`), value });
  };
  const worth = ({ worth: of }: Goal): string =>
    of.kind === 'none' ? '' : of.kind === 'fixed' ? t('worth.fixedText', { amount: format.number(of.amount) }) : t('worth.propertyText', { name: of.property });
  return { condition, worth };
};

/** Shows the result of an action in a notice. */
export const useInsightNotices = () => {
  const dispatch = useAppDispatch();
  return {
    good: useCallback(
      (key: string, values: Readonly<Record<string, string | number>> = {}) =>
        void dispatch(noticeShown({ tone: 'good', message: { key: `insights:${key}`, values } })),
      [dispatch],
    ),
    bad: useCallback(
      (error: unknown) => {
        notifyFailure(dispatch, error);
      },
      [dispatch],
    ),
  };
};
