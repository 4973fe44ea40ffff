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
  },
  toSettings: 'Open site settings',
} as const;
