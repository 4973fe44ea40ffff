/**
 * Routes that are not endpoints of the contract, each with the reason why it needs no authentication. Registering any other route outside `route()` stops the
 * program at start, because an endpoint without an access rule is a vulnerability. The wildcard `*` stands for the rest of the path.
 */
export const openRoutes: Readonly<Record<string, string>> = {
  '/collect': 'the collector takes hits from every visitor',
  '/_a/collect': 'the same on delivered sites',
  '/t.js': 'the tracker is public',
  '/_a/t.js': 'the same on delivered sites',
  '/t.more.js': 'the tracker with more events is public',
  '/_a/t.more.js': 'the same on delivered sites',
  '/assets/*': 'built files carry no data',
  '/sign': 'leads to /sign/',
  '/sign/': 'the sign page itself',
  '/sign/*': 'steps of the sign page',
  '/view/:token': 'the page that a link to a view of a content table opens; it holds nothing until it asks with its secret',
  '/form/:token': 'the page that a link to a form opens; it holds nothing until it asks with its secret',
  '/shared/:token/card': 'a card that other pages embed; its address is the secret',
  '/_r/*': 'public files of sites whose pages are hosted elsewhere; private ones need a signed address',
  '/frame': 'the empty page that shows a foreign HTML error',
  '/__manifest': 'names of built files',
  '/api/openapi.json': 'the description of the API',
  '/api/docs': 'the same, to read',
};
