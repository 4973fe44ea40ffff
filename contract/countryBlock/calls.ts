import { calls } from '../call';

export const countryBlockCalls = /* #__PURE__ */ calls({
  countryRule: 'GET /api/site/:siteId/setting/country_block',
  changeCountryRule: 'PUT /api/site/:siteId/setting/country_block',
  countryRuleVersions: 'GET /api/site/:siteId/setting/country_block/versions',
  restoreCountryRule: 'POST /api/site/:siteId/setting/country_block/versions/:version/restore',
  previewCountryRule: 'POST /api/site/:siteId/setting/country_block/preview',
  testCountryRule: 'POST /api/site/:siteId/setting/country_block/test',
  readNetworks: 'POST /api/site/:siteId/setting/country_block/networks',
  blockedRequests: 'GET /api/site/:siteId/setting/country_block/log',
  blockedSummary: 'GET /api/site/:siteId/setting/country_block/log/summary',
  updateCountryDatabase: 'POST /api/core/country_database/update',
  downloadBlocked: 'GET /api/site/:siteId/setting/country_block/log.csv',
});
