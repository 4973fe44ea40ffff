import { useTranslation } from 'react-i18next';
import { usePlaces } from '@/lib/usePlaces';

/** Localized names of search engines, browsers and systems. */
export const useProductName = (): ((stored: string) => string) => {
  const { i18n } = useTranslation();
  const places = usePlaces();
  const locale = i18n.language === 'en' ? 'en' : 'zh-CN';
  return (stored) => places?.productName(stored, locale) ?? stored;
};
