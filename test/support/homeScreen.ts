import { screen, within } from '@testing-library/react';
import type { SiteFigures } from '@contract/sites/list';
import { secondSite, site } from './factories';
import type { Answer } from './fakeServer';
import { renderApp } from './renderApp';

const visits = { visitorsToday: 120, visitorsYesterdaySoFar: 100, viewsToday: 300, series: [1, 5, 9], online: 3, lastHitAt: '2026-11-20T08:00:00.000Z' };
const secondVisits = { ...visits, visitorsToday: 4500, visitorsYesterdaySoFar: 5000, online: 0 };

/** Figures of the first site. */
export const figures = (change: Partial<SiteFigures> = {}): SiteFigures => ({
  siteId: site().id,
  visits,
  uptime: null,
  certificate: null,
  issues: null,
  unread: null,
  ...change,
});
export const figuresAnswer = (...sites: SiteFigures[]) => ({ data: { sites, failed: [] } });
/** The figures that `openHome` answers with. */
export const figuresOfBoth = figuresAnswer(figures(), figures({ siteId: secondSite().id, visits: secondVisits }));

/** The list of sites, at an address below /home. */
export async function openHome(path = '/home', answers: Record<string, Answer> = {}) {
  const app = await renderApp(path, { answers: { 'GET /api/core/sites/figures': figuresOfBoth, ...answers }, messages: ['form', 'siteChanges'] });
  await screen.findByRole('heading', { level: 1, name: 'Sites' });
  return app;
}

export const siteList = () => screen.findByRole('list', { name: 'Sites' });
export const siteCards = () => within(screen.getByRole('list', { name: 'Sites' })).getAllByRole('listitem');
export const siteNames = () => siteCards().map((card) => within(card).getAllByRole('link')[0]?.textContent);

/** Chooses something from the menu of a site. */
export async function choose({ person }: Awaited<ReturnType<typeof renderApp>>, name: string, item: string | RegExp) {
  await person.click(await screen.findByRole('button', { name: `Actions for “${name}”` }));
  await person.click(await screen.findByRole('menuitem', { name: item }));
}
