/** Passkeys in this browser (W3C WebAuthn 3). The package is a lazy part that loads with the first passkey request. */
type Json = Readonly<Record<string, unknown>>;

/** `cancelled`: the person closed the browser's dialog, or it timed out. `exists`: this device already has a passkey for the account. */
export type PasskeyTrouble = 'cancelled' | 'exists' | 'failed';
export type PasskeyResult = { readonly ok: true; readonly response: Json } | { readonly ok: false; readonly trouble: PasskeyTrouble };

/** Whether this page may use passkeys: browsers offer them on https and localhost only. */
export const passkeysWork = (): boolean =>
  typeof PublicKeyCredential === 'function' && globalThis.isSecureContext && typeof navigator.credentials?.get === 'function';

/** Preloads the package, so that a click opens the browser's dialog immediately (Safari only allows it right after one). */
export const loadPasskeys = () => import(/* webpackChunkName: "webauthn" */ '@simplewebauthn/browser');

function troubleOf(error: unknown): PasskeyTrouble {
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'exists';
  return name === 'NotAllowedError' || name === 'AbortError' || code === 'ERROR_CEREMONY_ABORTED' ? 'cancelled' : 'failed';
}

const attempt = async (run: () => Promise<object>): Promise<PasskeyResult> => {
  try {
    return { ok: true, response: { ...(await run()) } };
  } catch (error) {
    return { ok: false, trouble: troubleOf(error) };
  }
};

/**
 * Requests one of the person's passkeys. `options` as sent by the server. `autofill`: offered among the suggestions of a field with `autocomplete="…
 * webauthn"`; waits until one is chosen, and ends as `cancelled` when another request begins.
 */
export const requestPasskey = (options: Json, autofill = false): Promise<PasskeyResult> =>
  attempt(async () => {
    const { startAuthentication } = await loadPasskeys();
    return startAuthentication({ optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'], useBrowserAutofill: autofill });
  });

/** Cancels a pending request, such as the one among the suggestions of a field that was unmounted. */
export const cancelPasskeyRequest = async (): Promise<void> => (await loadPasskeys()).WebAuthnAbortService.cancelCeremony();

/** Creates a passkey with the options that the server sent. */
export const makePasskey = (options: Json): Promise<PasskeyResult> =>
  attempt(async () => {
    const { startRegistration } = await loadPasskeys();
    return startRegistration({ optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'] });
  });
