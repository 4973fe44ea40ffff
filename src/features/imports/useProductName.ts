import { useTranslation } from 'react-i18next';
import { usePlaces } from '@/lib/usePlaces';

/** Names of search engines, browsers and systems in the reader's language. */
export const useProductName = (): ((stored: string) => string) => {
  const { i18n } = useTranslation();
  const places = usePlaces();
  const locale = i18n.language === 'en' ? 'en' : 'zh-CN';
  return (stored) => places?.productName(stored, locale) ?? stored;
};
