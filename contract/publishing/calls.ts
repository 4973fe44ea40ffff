import { calls } from '../call';

export const publishingCalls = /* #__PURE__ */ calls({
  siteParts: 'GET /api/site/:siteId/setting/parts',
  changeSitePart: 'PUT /api/site/:siteId/setting/parts/:part',
  planLanguages: 'POST /api/site/:siteId/setting/languages/plan',
  changeLanguages: 'PUT /api/site/:siteId/setting/languages',
  languageRemovals: 'GET /api/site/:siteId/setting/languages/removed',
  restoreLanguage: 'POST /api/site/:siteId/setting/languages/removed/:tag/restore',
  releases: 'GET /api/site/:siteId/setting/releases',
  unreleased: 'GET /api/site/:siteId/setting/releases/preview',
  createRelease: 'POST /api/site/:siteId/setting/releases',
  cancelRelease: 'POST /api/site/:siteId/setting/releases/:id/cancel',
  rollBack: 'POST /api/site/:siteId/setting/releases/:id/roll-back',
});
