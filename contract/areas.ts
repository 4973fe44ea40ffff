/**
 * Maps the part of the API's or the console's addresses that identifies an area (`spec`) to the folder name used in code. Addresses keep the short names
 * of the original product specification. `folder` is the name under contract/, src/features/ and server/areas/.
 * `settings` is planned: it has no folder yet.
 */
export const areas = [
  { spec: 'core', folder: 'sites' },
  { spec: 'acc', folder: 'account' },
  { spec: 'acc/token', folder: 'session' },
  { spec: 'acc/users', folder: 'people' },
  { spec: 'acc/tokens', folder: 'tokens' },
  { spec: 'acc/audit', folder: 'audit' },
  { spec: 'acc/contacts', folder: 'contacts' },
  { spec: 'acc/trades', folder: 'trades' },
  { spec: 'core/uptime', folder: 'uptime' },
  { spec: 'core/imports', folder: 'siteImport' },
  { spec: 'als', folder: 'analytics' },
  { spec: 'als/goals', folder: 'insights' },
  { spec: 'als/measuring', folder: 'measuring' },
  { spec: 'als/shares', folder: 'publicLinks' },
  { spec: 'als/digests', folder: 'digests' },
  { spec: 'als/share', folder: 'sharing' },
  { spec: 'dashboard', folder: 'dashboard' },
  { spec: 'cs', folder: 'support' },
  { spec: 'table', folder: 'tables' },
  { spec: 'resource', folder: 'resources' },
  { spec: 'crawler', folder: 'crawler' },
  { spec: 'webcv', folder: 'vitals' },
  { spec: 'beian', folder: 'filings' },
  { spec: 'intl', folder: 'languages' },
  { spec: 'setting', folder: 'settings' },
  { spec: 'setting/base', folder: 'publishing' },
  { spec: 'setting/hostname', folder: 'hostnames' },
  { spec: 'setting/country_block', folder: 'countryBlock' },
  { spec: 'seo', folder: 'seo' },
  { spec: 'home/create', folder: 'imports' },
] as const;
