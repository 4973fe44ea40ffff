import { signCalls } from '@contract/session/signCalls';
import { requestPasskey } from '@/lib/passkeys';
import { post } from './call';
import type { Failure } from './call';

type Json = Readonly<Record<string, unknown>>;
type PasskeyRequest = {
  /** Ticket of the second step; without it the passkey replaces name and password. */
  readonly ticket?: string;
  /** Read after the passkey was chosen: until then the box can be ticked. */
  readonly remember: () => boolean;
  /** Offered among the suggestions of the login field, and waits there. */
  readonly autofill?: boolean;
};
export type PasskeySignIn =
  | { readonly kind: 'in'; readonly redirect: string }
  | { readonly kind: 'cancelled' | 'refused' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The address requested before signing in, for the server to check. */
export const requestedRedirect = (): { readonly redirect?: string } => {
  const redirect = new URLSearchParams(location.search).get('redirect');
  return redirect === null ? {} : { redirect };
};

/** Signs in by passkey: options from the server, the browser's dialog, the response back to the server. */
export async function signInByPasskey({ ticket, remember, autofill = false }: PasskeyRequest): Promise<PasskeySignIn> {
  const withTicket = ticket === undefined ? {} : { ticket };
  const begun = await post<{ challengeId: string; options: Json }>(signCalls.passkeySignInOptions.path, withTicket);
  if (!begun.ok) return { kind: 'failed', failure: begun.failure };
  const assertion = await requestPasskey(begun.data.options, autofill);
  if (!assertion.ok) return { kind: assertion.trouble === 'cancelled' ? 'cancelled' : 'refused' };
  const result = await post<{ redirect: string }>(signCalls.passkeySignIn.path, {
    challengeId: begun.data.challengeId,
    response: assertion.response,
    remember: remember(),
    ...withTicket,
    ...requestedRedirect(),
  });
  if (result.ok) return { kind: 'in', redirect: result.data.redirect };
  if (result.failure.kind === 'response' && result.failure.code === 'bad_code') return { kind: 'refused' };
  return { kind: 'failed', failure: result.failure };
}
