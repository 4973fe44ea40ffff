import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { makeFormat } from '@/lib/format';

/** The grid's messages in the reader's language: one object, so that rows do not each translate. */
export function useGridLabels() {
  const { t, i18n } = useTranslation('tableGrid');
  return useMemo(() => {
    const { number } = makeFormat(i18n.language);
    /** A cached message with one number: fast scrolling needs many of them. */
    const withNumber = (key: 'row' | 'rowLoading' | 'check'): ((n: number) => string) => {
      const [before = '', after = ''] = t(key, { n: '\u0000' }).split('\u0000');
      return (n) => `${before}${n}${after}`;
    };
    return {
      t,
      number,
      open: t('open'),
      drag: t('drag'),
      saving: t('saving'),
      row: withNumber('row'),
      rowLoading: withNumber('rowLoading'),
      check: withNumber('check'),
      stripe: (name: string) => t('stripe', { name }),
      fold: (group: string) => t('fold', { group }),
      unfold: (group: string) => t('unfold', { group }),
      addRowTo: (group: string) => t('addRowTo', { group }),
      count: (count: number) => t('count', { n: number(count) }),
    };
  }, [t, i18n.language]);
}
export type GridLabels = ReturnType<typeof useGridLabels>;
