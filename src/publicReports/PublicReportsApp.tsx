import { useCallback, useEffect, useMemo, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router-dom';
import type { Call } from '@contract/call';
import { publicLinkCalls } from '@contract/publicLinks/calls';
import type { OpenReports } from '@contract/publicLinks/schemas';
import type { Preferences } from '@/lib/preferences';
import { storePass, setAllowedDimensions, publicLinkHeaders } from '@/lib/publicLink';
import type { AppStore } from '@/store';
import { startUpReplaced } from '@/store/events';
import { LookProvider } from '@/theme/LookProvider';
import { MuiLook } from '@/theme/MuiLook';
import { ConfirmHost } from '@/ui/ConfirmHost';
import { makePublicReportsRouter } from './router';
import { publicReportsMessages } from './publicReportsMessages';

type State =
  | { readonly kind: 'loading' | 'ended' | 'failed' }
  | { readonly kind: 'locked'; readonly wrong: boolean }
  | { readonly kind: 'open'; readonly view: OpenReports };

type CallResult = { readonly status: number; readonly data: unknown };

async function call({ method, path }: Call, password?: string): Promise<CallResult> {
  const response = await fetch(path, {
    method,
    ...(password === undefined ? {} : { body: JSON.stringify({ password }) }),
    cache: 'no-store',
    headers: { accept: 'application/json', 'content-type': 'application/json', 'x-requested-with': 'console', ...publicLinkHeaders() },
  });
  const read = (await response.json().catch(() => null)) as { data?: unknown } | null;
  return { status: response.status, data: read?.data ?? null };
}

function usePublicReportsMessages() {
  const { i18n } = useTranslation();
  return publicReportsMessages[i18n.language === 'en' ? 'en' : 'zh-CN'];
}

function Password({ wrong, onPass }: { readonly wrong: boolean; readonly onPass: (pass: string | null) => void }): ReactElement {
  const messages = usePublicReportsMessages();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || password === '') return;
    setBusy(true);
    call(publicLinkCalls.unlockReports, password)
      .then(({ data }) => onPass((data as { pass: string } | null)?.pass ?? null))
      .catch(() => onPass(null))
      .finally(() => setBusy(false));
  };
  return (
    <form className="gate-form" onSubmit={submit}>
      <h1>{messages.passwordTitle}</h1>
      <p>{messages.passwordText}</p>
      <label htmlFor="link-password">{messages.password}</label>
      {/* This field is the only purpose of the page. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <input
        id="link-password"
        type="password"
        autoFocus
        autoComplete="off"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        aria-invalid={wrong}
        aria-describedby="link-wrong"
      />
      <p id="link-wrong" role="alert">
        {wrong ? messages.wrong : ''}
      </p>
      <button type="submit" aria-busy={busy}>
        {messages.open}
      </button>
    </form>
  );
}

function Gate({ store }: { readonly store: AppStore }): ReactElement {
  const messages = usePublicReportsMessages();
  const [state, setState] = useState<State>({ kind: 'loading' });
  const open = useCallback(async () => {
    setState({ kind: 'loading' });
    const { status, data: body } = await call(publicLinkCalls.openReports).catch(() => ({ status: 0, data: null }));
    if (status === 410) return setState({ kind: 'ended' });
    const data = body as OpenReports | null;
    if (data === null) return setState({ kind: 'failed' });
    if (data.needsPassword || data.site === null) return setState({ kind: 'locked', wrong: false });
    setAllowedDimensions(data.dimensions);
    store.dispatch(startUpReplaced({ sites: [data.site], intls: [] }));
    return setState({ kind: 'open', view: data });
  }, [store]);
  useEffect(() => void open(), [open]);
  const router = useMemo(() => (state.kind === 'open' ? makePublicReportsRouter(state.view) : null), [state]);

  if (router) return <RouterProvider router={router} />;
  return (
    <main className="gate">
      {state.kind === 'loading' && <p role="status">{messages.loading}</p>}
      {state.kind === 'ended' && (
        <div className="gate-form">
          <h1>{messages.endedTitle}</h1>
          <p>{messages.endedText}</p>
        </div>
      )}
      {state.kind === 'failed' && (
        <div className="gate-form">
          <p role="alert">{messages.failed}</p>
          <button type="button" onClick={() => void open()}>
            {messages.retry}
          </button>
        </div>
      )}
      {state.kind === 'locked' && (
        <Password
          wrong={state.wrong}
          onPass={(pass) => {
            if (pass === null) return setState({ kind: 'locked', wrong: true });
            storePass(pass);
            return void open();
          }}
        />
      )}
    </main>
  );
}

/** The reports of a public link: the console's own screens without anything that its reader cannot use. */
export const PublicReportsApp = ({ store, nonce, preferences }: { store: AppStore; nonce: string; preferences: Preferences }): ReactElement => (
  <Provider store={store}>
    <LookProvider remembered={preferences} nonce={nonce}>
      <MuiLook>
        <ConfirmHost>
          <Gate store={store} />
        </ConfirmHost>
      </MuiLook>
    </LookProvider>
  </Provider>
);
