/** Report screens that a public link can show; each is the last part of its route below `als`. Individual visits are never public. */
export const publicScreens = [
  'overview',
  'trend',
  'source',
  'engine',
  'keyword',
  'external/so',
  'external/sp',
  'external/url',
  'entry',
  'path',
  'loc/provinces',
  'loc/cities',
  'loc/countries',
  'device',
  'visitor',
  'character/pv',
  'character/upv',
  'character/ssr',
  'character/ago',
  'character/fr',
  'campaign',
] as const;
export type PublicScreen = (typeof publicScreens)[number];

/** Initial range of a public link. */
export const publicLinkPresets = ['today', 'last7', 'last30', 'last90'] as const;

/**
 * Parameters of a report's address that a public link can begin with: range, comparison and layout. Its filters are fields of the link, because they always apply;
 * segments and goals are definitions of the console's own users.
 */
export const viewParameters = ['range', 'from', 'to', 'compare', 'cfrom', 'cto', 'gran', 'who', 'show', 'by', 'sort', 'order', 'size', 'cols', 'view'] as const;
