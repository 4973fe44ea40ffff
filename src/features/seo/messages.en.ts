import keywords from './keywords/messages.en';
import push from './push/messages.en';
import settings from './settings/messages.en';
import verification from './verification/messages.en';

/** What search engines are told about a site. */
export default {
  keywords,
  push,
  settings,
  verification,
  title: 'SEO',
  tabs: { label: 'Parts of SEO', settings: 'Settings', verification: 'Verification', push: 'Push', keywords: 'Keywords' },
  external: 'The pages of this site are hosted elsewhere. These settings apply to pages that this program delivers.',
} as const;
