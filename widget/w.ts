import type { HelloResponse } from '../contract/support/visitors';
import { createApi } from './api';
import { Chat } from './chat';
import { pauseAfter, pauseOffline } from './outbox';
import { openStore, stored } from './storage';
import type { Store } from './storage';
import { showWidget } from './view/widget';

/**
 * The chat of a site:
 *
 *   <script defer src="https://console.example/_cs/w.js" data-site="SITEID"></script>
 *
 * Delivered pages contain the tag with the address of their own host. Calls go to the folder of the script. Without the Shadow DOM, constructed style sheets or
 * streams of a browser of 2023, nothing appears.
 */
const longestWait = 300_000;

const isConfigured = (hello: HelloResponse | { readonly config: null }): hello is HelloResponse => hello.config !== null;

async function sayHello(ask: () => Promise<HelloResponse | { readonly config: null }>): Promise<HelloResponse | { readonly config: null }> {
  for (let failures = 1; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      const isFinal = typeof error === 'object' && error !== null && 'isTemporary' in error && error.isTemporary === false;
      if (isFinal) return { config: null };
      await pauseOffline(Math.min(longestWait, pauseAfter(failures) * failures));
    }
  }
}

/** Another tab may have stored a token meanwhile: the first one counts. */
function adoptToken(store: Store, token: string): void {
  if (store.get(stored.token) === null) store.set(stored.token, token);
}

async function start(script: HTMLScriptElement): Promise<void> {
  const site = script.dataset['site'] ?? '';
  if (site === '' || document.querySelector('[data-sitewright-chat]') !== null || !('adoptedStyleSheets' in Document.prototype)) return;
  const store = openStore(site);
  const api = createApi(new URL('.', script.src).href, site, store);
  const hello = await sayHello(() => api.hello((document.documentElement.lang || navigator.language).slice(0, 35), location.href.slice(0, 2000)));
  if (!isConfigured(hello)) return;
  adoptToken(store, hello.token);
  // A second tag on the page may have been faster.
  if (document.querySelector('[data-sitewright-chat]') === null) showWidget(new Chat(api, site, store, hello), store);
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) void start(script);
