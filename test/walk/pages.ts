import type { Browser, Page } from '@playwright/test';
import { axe } from '../e2e/support/axe';
import type { ConsoleProgram } from '../e2e/support/console';
import type { Language } from './messages';
import type { Place } from './places';
import { watchPage, type Watch } from './watch';

type WatchedPage = { readonly page: Page; readonly watch: Watch };

/** Two pages in one language, the owner's and that of a person without an account, which all places share: their scripts stay in the cache. `touch`: of a touch device. */
export async function openPages(program: ConsoleProgram, browser: Browser, language: Language, { touch = false } = {}) {
  const settings = { baseURL: program.origin, locale: language, timezoneId: 'Asia/Shanghai', hasTouch: touch, isMobile: touch };
  const [desk, guest] = [await browser.newContext(settings), await browser.newContext(settings)];
  await program.signIn(desk);
  await program.prefer(desk, { locale: language, colorScheme: 'system' });
  const pages: WatchedPage[] = [];
  for (const context of [desk, guest]) {
    await context.addInitScript({ path: axe });
    // Functions that run in the page refer to this helper of the compiler.
    await context.addInitScript('globalThis.__name ??= (one) => one');
    const page = await context.newPage();
    pages.push({ page, watch: await watchPage(page, program.origin) });
  }
  const [deskPage, guestPage] = pages as [WatchedPage, WatchedPage];
  return {
    pageOf: (place: Place): WatchedPage => (place.guest === true ? guestPage : deskPage),
    async close() {
      await desk.close();
      await guest.close();
    },
  };
}
