import { startBrowser } from './browser';
import type { Browser } from './browser';
import { BrowserGone } from './devtools';
import { RenderFailure, renderPage } from './page';
import type { PageToRender, RenderedPage } from './page';

/** A browser is replaced after so many pages: its memory grows. */
const pagesPerBrowser = 50;

type Running = { readonly browser: Browser; pages: number; active: number };

/** One browser after the other, each started when a page is to be rendered. */
export function createBrowsers(executable: string, userAgent: string) {
  const all = new Set<Running>();
  let current: Promise<Running> | null = null;
  let isClosed = false;

  async function start(): Promise<Running> {
    const started: Running = { browser: await startBrowser(executable, userAgent), pages: 0, active: 0 };
    if (isClosed) started.browser.kill();
    all.add(started);
    return started;
  }
  async function running(): Promise<Running> {
    const starting = (current ??= start());
    // Another page that waited for the same browser may have started the next one by now.
    const forget = (): void => {
      if (current === starting) current = null;
    };
    const found = await starting.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (isClosed || (!found.browser.isOver() && found.pages < pagesPerBrowser)) return found;
    forget();
    retire(found);
    return running();
  }
  /** Ends a browser that renders nothing and is not to be used any more. */
  function retire(one: Running): void {
    if (one.active > 0 && !one.browser.isOver()) return;
    all.delete(one);
    one.browser.kill();
  }

  async function renderOnce(page: PageToRender): Promise<RenderedPage> {
    const used = await running();
    used.pages += 1;
    used.active += 1;
    try {
      return await renderPage(used.browser, page);
    } catch (error) {
      if (error instanceof RenderFailure && error.isHung) used.browser.kill();
      throw error;
    } finally {
      used.active -= 1;
      if (used.pages >= pagesPerBrowser) retire(used);
    }
  }

  return {
    /** Once more if the browser ended meanwhile, which may be the doing of another page. Throws `RenderFailure` or `BrowserGone`. */
    async render(page: PageToRender): Promise<RenderedPage> {
      try {
        return await renderOnce(page);
      } catch (error) {
        if (!(error instanceof BrowserGone) || isClosed) throw error;
        return renderOnce(page);
      }
    },
    close(): void {
      isClosed = true;
      for (const { browser } of all) browser.kill();
    },
  };
}
