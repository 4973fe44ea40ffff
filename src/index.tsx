import { createRoot } from 'react-dom/client';
import { App } from './App';
import { startI18n } from './i18n';
import { rememberedPreferences } from './lib/preferences';
import { publicLinkSecret } from './lib/publicLink';
import { forbidZodToCompile } from './lib/zodWithoutEval';
import { makeRouter } from './routes/router';
import { makeStore } from './store';
import { areDevToolsEnabled } from './store/devToolsEnabled';
import './theme/tokens.css';
import './theme/mui.css';
import './ui/ui.css';
// Parts of the console share these; the names of copies in each part would take more of the first script.
import './ui/date/date.css';
import './ui/stepper.css';
import './ui/tag.css';
import './routes/shell/shell.css';
// Imported with the others: a stylesheet loaded later would add its loader to every first load.
import './publicReports/publicReports.css';

/** The messages of the frame, the first page's part and the session are fetched in parallel. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  forbidZodToCompile();
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  const preferences = rememberedPreferences();
  if (process.env.NODE_ENV !== 'production') (await import(/* webpackChunkName: "contract-checks" */ './store/contractChecks')).checkResponses();
  const messages = startI18n(preferences.locale);
  const devTools = areDevToolsEnabled() && (await import(/* webpackChunkName: "devtools" */ './store/devtools')).devTools;
  const store = makeStore({ devTools });
  if (publicLinkSecret !== null) {
    const [{ startPublicReports }] = await Promise.all([import(/* webpackChunkName: "public-reports" */ './publicReports'), messages]);
    return startPublicReports(root, { store, nonce, preferences });
  }
  const router = makeRouter();
  await messages;
  createRoot(root).render(<App store={store} router={router} nonce={nonce} preferences={preferences} />);
}

void start();
