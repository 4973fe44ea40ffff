import { calls } from '../call';

export const hostnameCalls = /* #__PURE__ */ calls({
  hostnames: 'GET /api/site/:siteId/hostnames',
  addHostname: 'POST /api/site/:siteId/hostnames',
  changeHostname: 'PUT /api/site/:siteId/hostnames/:id',
  removeHostname: 'DELETE /api/site/:siteId/hostnames/:id',
  checkHostname: 'POST /api/site/:siteId/hostnames/:id/check',
  makePrimary: 'POST /api/site/:siteId/hostnames/:id/primary',
  uploadCertificate: 'POST /api/site/:siteId/hostnames/:id/certificate',
  removeCertificate: 'DELETE /api/site/:siteId/hostnames/:id/certificate',
});
