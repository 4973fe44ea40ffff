import keywords from './keywords/messages.en';
import notFound from './notFound/messages.en';
import robots from './robots/messages.en';
import overview from './overview/messages.en';
import pages from './pages/messages.en';
import push from './push/messages.en';
import settings from './settings/messages.en';
import sitemaps from './sitemaps/messages.en';
import verification from './verification/messages.en';

/** What search engines are told about a site. */
export default {
  keywords,
  notFound,
  robots,
  overview,
  pages,
  push,
  settings,
  sitemaps,
  verification,
  title: 'SEO',
  tabs: {
    label: 'Parts of SEO',
    overview: 'Overview',
    pages: 'Pages',
    sitemaps: 'Sitemaps',
    settings: 'Settings',
    robots: 'robots.txt',
    redirects: 'Redirects',
    notFound: 'Missing pages',
    verification: 'Verification',
    push: 'Push',
    keywords: 'Search terms',
  },
  external: 'The pages of this site are hosted elsewhere. These settings apply to pages that this program delivers.',
  problem: {
    title_missing: 'No title',
    title_long: 'Title too long',
    title_duplicate: 'Same title as another page',
    description_missing: 'No description',
    description_long: 'Description too long',
    description_duplicate: 'Same description as another page',
    noindex: 'Not indexed',
    machine: 'Machine translation',
    no_image: 'No picture',
  },
  advice: {
    title_missing: 'Only the name of the site identifies these pages in search results.',
    title_long: 'Search results cut the end off.',
    title_duplicate: 'Search engines often show only one of several pages with the same title.',
    description_missing: 'Search engines choose a passage of the page themselves.',
    description_long: 'Search results cut the end off.',
    description_duplicate: 'A description of its own makes a page easier to choose.',
    noindex: 'Search engines leave these pages out. Check that this is intended.',
    machine: 'Search engines leave these pages out until somebody has reviewed the translation.',
    no_image: 'Links to these pages are shared without a picture.',
  },
} as const;
