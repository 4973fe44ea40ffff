import settings from './settings/messages.en';

/** What search engines are told about a site. */
export default {
  settings,
  title: 'SEO',
  tabs: { label: 'Parts of SEO', settings: 'Settings' },
  external: 'The pages of this site are hosted elsewhere. These settings apply to pages that this program delivers.',
} as const;
