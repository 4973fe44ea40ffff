import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { ensureMessages, startI18n } from '@/i18n';
import { rememberedPreferences } from '@/lib/preferences';
import '@/theme/tokens.css';
import '@/theme/mui.css';
import '@/ui/ui.css';
import { PartsPage } from './PartsPage';
import './parts.css';

/** `/__parts`, under `npm run dev` and in `npm run test:parts`: every part of src/ui in its states. It needs no server and is in no other build. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  const preferences = rememberedPreferences();
  await startI18n(preferences.locale);
  await ensureMessages(['form', 'chart']);
  createRoot(root).render(
    <CacheProvider value={createCache({ key: 'c', prepend: true })}>
      <MemoryRouter>
        <PartsPage initial={preferences.scheme === 'dark' ? 'dark' : 'light'} />
      </MemoryRouter>
    </CacheProvider>,
  );
}

void start();
