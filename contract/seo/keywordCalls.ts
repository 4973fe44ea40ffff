import { calls } from '../call';

export const seoKeywordCalls = /* #__PURE__ */ calls({ seoKeywords: 'GET /api/site/:siteId/seo/keywords' });
