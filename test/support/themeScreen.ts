import type { SettingsPart } from '@contract/publishing/parts';
import type { SiteParts } from '@contract/publishing/schemas';
import type { ThemeManifest } from '@contract/publishing/theme';
import type { Theme, ThemeFile, ThemeFileContent } from '@contract/publishing/themeFiles';
import { screen } from '@testing-library/react';
import { site, startUp } from './factories';
import type { Answer } from './fakeServer';
import { languagesPart, settingPath as base, settingsPart, siteParts } from './publishingScreen';
import { renderApp } from './renderApp';

/** Calls of the screen, as keys of the fake server. */
export const themeCall = {
  theme: `GET ${base}/theme`,
  parts: `GET ${base}/parts`,
  saveSettings: `PUT ${base}/parts/settings`,
  shipped: `GET ${base}/theme/shipped`,
  install: `POST ${base}/theme/install`,
  restore: `POST ${base}/theme/restore`,
  changes: `GET ${base}/theme/changes`,
  check: `GET ${base}/theme/check`,
  importZip: `POST ${base}/theme/zip`,
  file: `GET ${base}/theme/file`,
  write: `PUT ${base}/theme/file`,
  remove: `DELETE ${base}/theme/file`,
  checkFile: `POST ${base}/theme/file/check`,
  versions: `GET ${base}/theme/file/versions`,
  restoreFile: `POST ${base}/theme/file/restore`,
  difference: `GET ${base}/theme/file/difference`,
  preview: `POST ${base}/preview`,
  failures: `GET ${base}/theme/failures`,
} as const;

export const manifest = (change: Partial<ThemeManifest> = {}): ThemeManifest => ({
  format: 1,
  name: { 'zh-Hans': '公司', en: 'Company' },
  version: '1.0.0',
  menus: {},
  collections: {},
  templates: { home: { shows: 'page', data: {} } },
  settings: [
    { key: 'accent', type: 'color', default: '#1746d1', label: { 'zh-Hans': '主色', en: 'Accent colour' }, group: { en: 'Look' } },
    { key: 'headline', type: 'text', default: '', label: { en: 'Headline' }, group: { en: 'Hero' } },
    { key: 'link', type: 'link', default: '', label: { en: 'Link' }, group: { en: 'Hero' } },
    { key: 'columns', type: 'number', default: 3, min: 1, max: 6, label: { en: 'Columns' }, group: { en: 'Look' } },
    { key: 'show_team', type: 'boolean', default: true, label: { en: 'Show team' }, group: { en: 'Look' } },
  ],
  ...change,
});

export const sha = (digit: string): string => digit.repeat(64);
export const themeFile = (path: string, change: Partial<ThemeFile> = {}): ThemeFile => ({
  path,
  revision: 1,
  sha256: sha('a'),
  bytes: 20,
  text: true,
  shipped: 'same',
  updatedAt: '2026-11-20T08:00:00.000Z',
  ...change,
});
export const fileContent = (path: string, content: string, change: Partial<ThemeFile> = {}): ThemeFileContent => ({ ...themeFile(path, change), content });

export const theme = (change: Partial<Theme> = {}): Theme => ({
  revision: 4,
  base: 'company',
  shippedVersion: '1.0.0',
  files: [themeFile('layouts/base.liquid'), themeFile('templates/home.liquid'), themeFile('theme.json')],
  missing: [],
  manifest: manifest(),
  ...change,
});

/** The working copy with these settings of the theme. */
export const parts = (values: SettingsPart['theme'] = {}, revision = 2): SiteParts =>
  siteParts({
    settings: settingsPart({ theme: values }, revision),
    routes: { content: [{ kind: 'template', path: '/about', template: 'page', title: {} }], revision: 1 },
    languages: languagesPart(['en']),
  });

/** The tab with a theme, its files and its preview; `answers` replace what the server says. */
export async function openTheme(search = '', answers: Record<string, Answer> = {}) {
  const app = await renderApp(`/site/${site().id}/setting/base/theme${search}`, {
    answers: {
      [themeCall.theme]: { data: theme() },
      [themeCall.parts]: { data: parts() },
      [themeCall.shipped]: {
        data: [
          { name: 'company', manifest: manifest() },
          { name: 'blog', manifest: manifest({ name: { en: 'Blog' } }) },
        ],
      },
      [themeCall.check]: { data: { revision: 4, problems: [] } },
      [themeCall.checkFile]: { data: { problems: [] } },
      [themeCall.file]: ({ url }) => {
        const path = new URL(url).searchParams.get('path') ?? '';
        return { data: fileContent(path, `<h1>${path}</h1>\n`) };
      },
      [themeCall.preview]: {
        data: {
          address: 'http://tea.localhost:3001/_preview/token',
          pseudoAddress: 'http://tea.localhost:3001/_preview/token.pseudo',
          expiresAt: '2026-11-21T08:00:00.000Z',
        },
      },
      [themeCall.failures]: { data: [] },
      'GET /api/core/load/rpm': { data: startUp({ sites: [site({ purpose: 'built' })] }) },
      ...answers,
    },
    messages: ['form', 'resources'],
  });
  await screen.findByRole('group', { name: 'Parts of the theme' });
  return app;
}
