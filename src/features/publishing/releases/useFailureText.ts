import { useTranslation } from 'react-i18next';
import type { Release } from '@contract/publishing/schemas';

const known = ['forbidden', 'invalid_fields', 'not_found', 'conflict'] as const;

/** Why a scheduled release was not published, in one sentence. */
export function useFailureText(): (failure: NonNullable<Release['failure']>) => string {
  const { t } = useTranslation('publishing');
  return ({ code, records }) => {
    const reason = known.find((one) => one === code);
    return reason === undefined ? t('failure.other', { code }) : t(`failure.${reason}`, { count: records });
  };
}
