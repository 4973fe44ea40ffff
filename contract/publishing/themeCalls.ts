import { calls } from '../call';

export const themeCalls = /* #__PURE__ */ calls({
  shippedThemes: 'GET /api/site/:siteId/setting/theme/shipped',
  theme: 'GET /api/site/:siteId/setting/theme',
  installTheme: 'POST /api/site/:siteId/setting/theme/install',
  themeChanges: 'GET /api/site/:siteId/setting/theme/changes',
  restoreTheme: 'POST /api/site/:siteId/setting/theme/restore',
  checkTheme: 'GET /api/site/:siteId/setting/theme/check',
  exportTheme: 'GET /api/site/:siteId/setting/theme/zip',
  importTheme: 'POST /api/site/:siteId/setting/theme/zip',
  themeFile: 'GET /api/site/:siteId/setting/theme/file',
  writeThemeFile: 'PUT /api/site/:siteId/setting/theme/file',
  removeThemeFile: 'DELETE /api/site/:siteId/setting/theme/file',
  checkThemeFile: 'POST /api/site/:siteId/setting/theme/file/check',
  renameThemeFile: 'POST /api/site/:siteId/setting/theme/file/rename',
  themeFileContent: 'GET /api/site/:siteId/setting/theme/file/content',
  themeFileVersions: 'GET /api/site/:siteId/setting/theme/file/versions',
  restoreThemeFile: 'POST /api/site/:siteId/setting/theme/file/restore',
  themeFileDifference: 'GET /api/site/:siteId/setting/theme/file/difference',
});
