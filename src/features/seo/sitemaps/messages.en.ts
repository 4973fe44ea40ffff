/** Sitemaps of a site. */
export default {
  index: 'Sitemap',
  indexText: 'robots.txt names it. Submit the index in the consoles of search engines.',
  flat: 'Flat files for Baidu',
  flatText: 'Baidu reads no index: submit each of these addresses there.',
  none: 'No sitemap',
  why: {
    not_released: 'There is one after the first release with pages.',
    settings: 'The settings of the site keep search engines away, so there is no sitemap.',
    site: 'The site is not public and published yet, so there is no sitemap.',
  },
  kind: { index: 'Index of the files below', pages: 'Lists and pages of their own', records: 'Records: {{collection}}' },
  copy: 'Copy the address of {{path}}',
} as const;
