import { useTranslation } from 'react-i18next';
import type { SharedScreen } from '@contract/shares/schemas';

/** The title of a screen, taken from its route. */
export function useScreenName(): (screen: SharedScreen) => string {
  const { t } = useTranslation('nav');
  return (screen) => t((screen.split('/').at(-1) ?? screen) as 'overview');
}
