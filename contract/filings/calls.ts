import { calls } from '../call';

export const filingCalls = /* #__PURE__ */ calls({
  filings: 'GET /api/site/:siteId/beian',
  addFiling: 'POST /api/site/:siteId/beian',
  filing: 'GET /api/site/:siteId/beian/:id',
  changeFiling: 'PUT /api/site/:siteId/beian/:id',
  removeFiling: 'DELETE /api/site/:siteId/beian/:id',
  restoreFiling: 'POST /api/site/:siteId/beian/:id/restore',
  moveFiling: 'POST /api/site/:siteId/beian/:id/state',
  filingPeople: 'GET /api/site/:siteId/beian/:id/people',
  changeFilingPeople: 'PUT /api/site/:siteId/beian/:id/people',
  filingEvents: 'GET /api/site/:siteId/beian/:id/events',
  findFilingNumbers: 'POST /api/site/:siteId/beian/parse',
  filingSnippet: 'GET /api/site/:siteId/beian/snippet',
  checkFilingFooter: 'POST /api/site/:siteId/beian/check',
  filingSubjects: 'GET /api/core/beian/subjects',
  addFilingSubject: 'POST /api/core/beian/subjects',
  changeFilingSubject: 'PUT /api/core/beian/subjects/:id',
  removeFilingSubject: 'DELETE /api/core/beian/subjects/:id',
  filingDeadlines: 'GET /api/core/beian/deadlines',
});
