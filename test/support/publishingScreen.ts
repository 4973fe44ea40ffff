import { screen } from '@testing-library/react';
import { LanguagesPart } from '@contract/languages/part';
import { SettingsPart } from '@contract/publishing/parts';
import { SeoPart } from '@contract/seo/part';
import type { SiteParts } from '@contract/publishing/schemas';
import type { Site } from '@contract/sites/schemas';
import { site, startUp } from './factories';
import type { Answer } from './fakeServer';
import { renderApp } from './renderApp';

/** A site that is built here. */
export const builtSite = (change: Partial<Site> = {}): Site => site({ purpose: 'built', url: null, systemHost: 'http://tea-house.localhost:3001', ...change });

/** Path of the calls of a site's settings. */
export const settingPath = `/api/site/${site().id}/setting`;

export const settingsPart = (content: Partial<SettingsPart> = {}, revision = 0): SiteParts['settings'] => ({ content: SettingsPart.parse(content), revision });

/** Languages by tag, or with options of their own; the rest is as in a new site. */
export const languagesPart = (languages: readonly (string | object)[], revision = 0): SiteParts['languages'] => ({
  content: LanguagesPart.parse({ languages }),
  revision,
});

/** The working copy of a site that nobody has edited; a test sets only the parts that it is about. */
export const siteParts = (change: Partial<SiteParts> = {}): SiteParts => ({
  settings: settingsPart(),
  menus: { content: {}, revision: 0 },
  routes: { content: [], revision: 0 },
  redirects: { content: [], revision: 0 },
  languages: languagesPart(['zh-Hans']),
  seo: { content: SeoPart.parse({}), revision: 0 },
  ...change,
});

/** The site settings at a tab, such as `/releases`, or `''` for the general one. */
export async function openSettings(tab: string, answers: Record<string, Answer> = {}, change: Partial<Site> = {}) {
  const app = await renderApp(`/site/${site().id}/setting/base${tab}`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [builtSite(change)] }) },
      [`GET ${settingPath}/parts`]: { data: siteParts() },
      [`GET ${settingPath}/languages/removed`]: { data: { rows: [] } },
      [`GET /api/site/${site().id}/table/tables`]: { data: [] },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Site settings' });
  return app;
}
