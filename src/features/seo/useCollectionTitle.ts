import { useThemeQuery } from '@/features/publishing/theme/themeApi';
import { useTextIn } from '@/features/publishing/useTextIn';

/** Titles of the theme's collections; the key itself where the theme has none. */
export function useCollectionTitle(siteId: string): (key: string) => string {
  const { data } = useThemeQuery({ siteId });
  const textIn = useTextIn();
  return (key) => textIn(data?.manifest?.collections[key]?.title) || key;
}
