import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router-dom';
import { App } from '@/App';
import { ensureMessages, i18n, startI18n } from '@/i18n';
import type { Namespace } from '@/i18n/namespaces';
import type { UiLocale } from '@/lib/preferences';
import { onGoToSignIn } from '@/lib/signInAddress';
import { makeRoutes } from '@/routes/router';
import { makeStore } from '@/store';
import { dashboardCards } from './dashboards';
import type { Answer } from './fakeServer';
import { fakeServer } from './fakeServer';
import { session, site, startUp, uptime, user } from './factories';

let testLocale: UiLocale = 'en';
/** The language of a whole file of tests, for one that is not in English. */
export const renderIn = (locale: UiLocale): void => {
  testLocale = locale;
};

/** `messages`: messages of lazy parts that a test opens. */
type Options = { locale?: UiLocale; answers?: Record<string, Answer>; messages?: readonly Namespace[] };

/** The whole console at an address: real store, real routes, real messages; only the server is fake (`test/support/fakeServer`). */
export async function renderApp(path: string, { locale = testLocale, answers = {}, messages = [] }: Options = {}) {
  await startI18n(locale);
  if (i18n.language !== locale) await i18n.changeLanguage(locale);
  // Starting clears all messages, but parts loaded by an earlier test of the file remain and do not request theirs again.
  await ensureMessages(['frame', ...messages]);
  const server = fakeServer({
    'GET /api/acc/token/session': { data: session() },
    'GET /api/core/load/rpm': { data: startUp() },
    [`GET /api/acc/user/${user().id}`]: { data: user({ locale }) },
    'GET /api/core/jobs': { data: [] },
    'GET /api/acc/notices': { data: { rows: [], unread: 0 } },
    [`GET /api/core/sites/${site().id}/uptime`]: { data: uptime({ enabled: false, state: 'unknown', since: null, checkedAt: null, responseMs: null }) },
    [`GET /api/site/${site().id}/dashboard`]: { data: dashboardCards() },
    ...answers,
  });
  const store = makeStore();
  const router = createMemoryRouter(makeRoutes(), { initialEntries: [path] });
  const left: string[] = [];
  const restore = onGoToSignIn((address) => left.push(address));
  const view = render(<App store={store} router={router} nonce="" preferences={{ locale, scheme: 'light', primary: 'grey' }} />);
  return {
    ...view,
    store,
    router,
    server,
    /** Addresses of the sign page that the console navigated to. */
    left,
    person: userEvent.setup(),
    end: () => {
      view.unmount();
      router.dispose();
      server.restore();
      restore();
    },
  };
}
