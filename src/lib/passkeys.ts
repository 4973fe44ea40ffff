/** Passkeys in this browser (W3C WebAuthn 3). The package comes in a part of its own, with the first passkey that is asked for. */
type Json = Readonly<Record<string, unknown>>;

/** `cancelled`: the person closed the browser's question, or it ran out. `exists`: this device has a passkey for the account already. */
export type PasskeyTrouble = 'cancelled' | 'exists' | 'failed';
export type PasskeyResult = { readonly ok: true; readonly response: Json } | { readonly ok: false; readonly trouble: PasskeyTrouble };

/** Whether this page may ask for passkeys at all: browsers offer them on https and on this machine only. */
export const passkeysWork = (): boolean =>
  typeof PublicKeyCredential === 'function' && globalThis.isSecureContext && typeof navigator.credentials?.get === 'function';

/** Fetches the package ahead, so that a click leads to the browser's question at once (Safari asks only right after one). */
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
 * Asks for one of the person's passkeys. `options` as the server sent them. `autofill`: offered among the suggestions of a field with
 * `autocomplete="… webauthn"`; waits until one is chosen, and ends as `cancelled` when another question begins.
 */
export const askPasskey = (options: Json, autofill = false): Promise<PasskeyResult> =>
  attempt(async () => {
    const { startAuthentication } = await loadPasskeys();
    return startAuthentication({ optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'], useBrowserAutofill: autofill });
  });

/** Takes back a question that still waits, as the one among the suggestions of a field that is no longer there. */
export const stopAsking = async (): Promise<void> => (await loadPasskeys()).WebAuthnAbortService.cancelCeremony();

/** Lets the browser make a passkey by the options that the server sent. */
export const makePasskey = (options: Json): Promise<PasskeyResult> =>
  attempt(async () => {
    const { startRegistration } = await loadPasskeys();
    return startRegistration({ optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'] });
  });
