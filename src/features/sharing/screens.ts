import { useTranslation } from 'react-i18next';
import type { SharedScreen } from '@contract/shares/schemas';
import type nav from '@/routes/messages.zh-CN';

/** Screens in groups, as the rail has them. Written out: the contract's own list would bring its validator into the page. */
export const screenGroups = [
  { id: 'summary', screens: ['overview', 'trend'] },
  { id: 'source', screens: ['source', 'engine', 'keyword', 'external/so', 'external/sp', 'external/url'] },
  { id: 'visit', screens: ['entry', 'path'] },
  {
    id: 'visitor',
    screens: ['loc/provinces', 'loc/cities', 'device', 'visitor', 'character/pv', 'character/upv', 'character/ssr', 'character/ago', 'character/fr'],
  },
] as const satisfies readonly { readonly id: keyof (typeof nav)['alsGroup']; readonly screens: readonly SharedScreen[] }[];
export const screens: readonly SharedScreen[] = screenGroups.flatMap((group) => group.screens);

/** The title of a screen, that of its route. */
export function useScreenName(): (screen: SharedScreen) => string {
  const { t } = useTranslation('nav');
  return (screen) => t((screen.split('/').at(-1) ?? screen) as 'overview');
}
