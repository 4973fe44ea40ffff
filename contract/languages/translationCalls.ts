import { calls } from '../call';

export const translationCalls = /* #__PURE__ */ calls({
  translationOverview: 'GET /api/site/:siteId/intl/overview',
  translationMatrix: 'GET /api/site/:siteId/intl/matrix',
  translationTexts: 'GET /api/site/:siteId/intl/texts',
  changeTranslations: 'PUT /api/site/:siteId/intl/texts',
  markTranslations: 'POST /api/site/:siteId/intl/marks',
  translationCost: 'POST /api/site/:siteId/intl/translate/preview',
  translateTexts: 'POST /api/site/:siteId/intl/translate',
  exportTranslations: 'GET /api/site/:siteId/intl/export',
  checkTranslations: 'POST /api/site/:siteId/intl/import/check',
  importTranslations: 'POST /api/site/:siteId/intl/import',
  translationRuns: 'GET /api/site/:siteId/intl/runs',
  undoTranslationRun: 'POST /api/site/:siteId/intl/runs/:runId/undo',
  translationEngines: 'GET /api/site/:siteId/intl/engines',
  changeTranslationEngine: 'PUT /api/site/:siteId/intl/engines/:kind',
  removeTranslationEngine: 'DELETE /api/site/:siteId/intl/engines/:kind',
  translationGlossary: 'GET /api/site/:siteId/intl/glossary',
  changeTranslationGlossary: 'PUT /api/site/:siteId/intl/glossary',
});
