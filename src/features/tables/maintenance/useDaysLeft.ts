import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tableLimits } from '@contract/tables/terms';

const day = 86_400_000;

/** Formats how many whole days remain to restore something deleted at that time. */
export function useDaysLeft(): (deletedAt: string) => string {
  const { t } = useTranslation('tableAdmin');
  const [now] = useState(() => Date.now());
  return (deletedAt) => {
    const count = Math.ceil((Date.parse(deletedAt) + tableLimits.keepDays * day - now) / day);
    return count > 0 ? t('bin.left', { count }) : t('bin.leftToday');
  };
}
