import push from './push/messages.en';
import settings from './settings/messages.en';
import verification from './verification/messages.en';

/** What search engines are told about a site. */
export default {
  push,
  settings,
  verification,
  title: 'SEO',
  tabs: { label: 'Parts of SEO', settings: 'Settings', verification: 'Verification', push: 'Push' },
  external: 'The pages of this site are hosted elsewhere. These settings apply to pages that this program delivers.',
} as const;
