import { calls } from '../call';

export const languageCalls = /* #__PURE__ */ calls({
  translationMatrix: 'GET /api/site/:siteId/intl/matrix',
  translationTexts: 'GET /api/site/:siteId/intl/texts',
  changeTranslations: 'PUT /api/site/:siteId/intl/texts',
  markTranslations: 'POST /api/site/:siteId/intl/marks',
  translationCost: 'POST /api/site/:siteId/intl/translate/preview',
  translate: 'POST /api/site/:siteId/intl/translate',
  exportTranslations: 'GET /api/site/:siteId/intl/export',
  checkTranslations: 'POST /api/site/:siteId/intl/import/check',
  importTranslations: 'POST /api/site/:siteId/intl/import',
  translationEngines: 'GET /api/site/:siteId/intl/engines',
  changeTranslationEngine: 'PUT /api/site/:siteId/intl/engines/:kind',
  removeTranslationEngine: 'DELETE /api/site/:siteId/intl/engines/:kind',
  glossary: 'GET /api/site/:siteId/intl/glossary',
  changeGlossary: 'PUT /api/site/:siteId/intl/glossary',
});
