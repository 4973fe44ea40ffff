/** What is wrong with the pages of a site. */
export default {
  all: 'Pages',
  indexable: 'May be indexed',
  problems: 'What to improve',
  nothing: 'No problems found.',
  more: 'Only the first {{countText}} pages are checked: the newest records of each collection.',
  pages_one: '{{countText}} page',
  pages_other: '{{countText}} pages',
  unused: 'Texts for pages that no longer exist',
  unusedText: 'Somebody wrote a title or description for these addresses, but no page is there.',
  closed: {
    settings: 'The settings of the site keep search engines away from all pages.',
    site: 'The site is not public and published yet, so search engines may not index any page.',
    robots: 'robots.txt keeps search engines away from all pages.',
    rules: 'No page may be indexed: rules or machine translations keep search engines away.',
  },
  open: { settings: 'Open site settings', site: 'Open site settings', robots: 'Edit robots.txt', rules: 'Open the rules' },
} as const;
