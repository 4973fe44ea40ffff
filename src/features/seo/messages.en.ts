import notFound from './notFound/messages.en';
import robots from './robots/messages.en';
import settings from './settings/messages.en';

/** What search engines are told about a site. */
export default {
  notFound,
  robots,
  settings,
  title: 'SEO',
  tabs: { label: 'Parts of SEO', settings: 'Settings', robots: 'robots.txt', redirects: 'Redirects', notFound: 'Missing pages' },
  external: 'The pages of this site are hosted elsewhere. These settings apply to pages that this program delivers.',
} as const;
