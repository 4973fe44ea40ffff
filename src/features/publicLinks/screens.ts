import { useTranslation } from 'react-i18next';
import type { PublicScreen } from '@contract/publicLinks/schemas';

/** The title of a screen, taken from its route. */
export function useScreenName(): (screen: PublicScreen) => string {
  const { t } = useTranslation('nav');
  return (screen) => t((screen.split('/').at(-1) ?? screen) as 'overview');
}
