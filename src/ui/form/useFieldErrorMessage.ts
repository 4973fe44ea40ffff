import { useTranslation } from 'react-i18next';
import type { FieldCode } from '@contract/errors';
import { decodeFieldError } from './fieldError';

/** A form's own messages for codes whose common message is too vague, such as the rule behind `pattern`. */
export type OwnMessages = Partial<Record<FieldCode, string>>;

/** Turns a form's error (an encoded field error) into a message in the reader's language. */
export function useFieldErrorMessage(): (message: string | undefined, own?: OwnMessages) => string | undefined {
  const { t } = useTranslation('form');
  return (message, own = {}) => {
    if (message === undefined || message === '') return undefined;
    const { code, min, max, message: ownText } = decodeFieldError(message);
    const ownMessage = ownText ?? own[code];
    if (ownMessage !== undefined) return ownMessage;
    if (code === 'out_of_range' && min !== undefined && max !== undefined) return t('errors.out_of_range_between', { min, max });
    if (code === 'too_many_decimals' && max !== undefined) return max === 0 ? t('errors.no_decimals') : t('errors.decimals', { count: max });
    if (code === 'too_short') return min === undefined ? t('errors.required') : t('errors.too_short', { min });
    if (code === 'too_long') return t('errors.too_long', { max: max ?? '' });
    return t(`errors.${code}`);
  };
}
