import { decodeBase32IgnorePadding } from '@oslojs/encoding';
import { generateHOTP } from '@oslojs/otp';
import type { Browser, Person, TestApp } from './app';
import { ownerPassword } from './app';
import { makeAuthenticator } from './authenticator';
import type { Authenticator } from './authenticator';

export const stepMs = 30_000;

/** An authenticator app that has read the secret: the code of `at` (epoch milliseconds). */
export const codeAt = (secret: string, at: number): string => generateHOTP(decodeBase32IgnorePadding(secret), BigInt(Math.floor(at / stepMs)), 6);

const dataOf = <T>(answer: { statusCode: number; body: string; json: () => unknown }): T => {
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return (answer.json() as { data: T }).data;
};

/** Turns an authenticator app on, by the code of the step before now, so that the present one is still unused. */
export async function addTotp(t: TestApp, person: Person): Promise<{ secret: string; codes: string[] | null }> {
  const { secret } = dataOf<{ secret: string }>(await person.send('POST', '/api/acc/totp/begin'));
  const answer = await person.send('POST', '/api/acc/totp/confirm', { code: codeAt(secret, t.ctx.now() - stepMs) });
  return { secret, codes: dataOf<{ recoveryCodes: string[] | null }>(answer).recoveryCodes };
}

export type Offer = { readonly challengeId: string; readonly options: Record<string, unknown> };

export async function addPasskey(t: TestApp, person: Person, name = '笔记本', authenticator = makeAuthenticator(new URL(t.ctx.config.publicUrl).origin)) {
  const offer = dataOf<Offer>(await person.send('POST', '/api/acc/passkeys/options'));
  const answer = await person.send('POST', '/api/acc/passkeys', { challengeId: offer.challengeId, response: authenticator.create(offer.options), name });
  const { passkey, recoveryCodes } = dataOf<{ passkey: { id: string; name: string }; recoveryCodes: string[] | null }>(answer);
  return { authenticator, passkey, codes: recoveryCodes };
}

/** The right password; throws where no second step follows. */
export async function askTicket(b: Browser, login: string, over: object = {}): Promise<{ ticket: string; methods: string[] }> {
  const data = dataOf<{ next?: string; ticket: string; methods: string[] }>(
    await b.send('POST', '/api/acc/sign/in', { login, password: ownerPassword, ...over }),
  );
  if (data.next !== 'second') throw new Error('no second step was asked for');
  return data;
}

export const second = (b: Browser, ticket: string, code: string, kind: 'totp' | 'recovery' = 'totp') =>
  b.send('POST', '/api/acc/sign/second', { ticket, kind, code });

export const askPasskey = async (b: Browser, ticket?: string): Promise<Offer> =>
  dataOf<Offer>(await b.send('POST', '/api/acc/sign/passkey/options', ticket === undefined ? {} : { ticket }));

export const answerPasskey = (b: Browser, challengeId: string, response: ReturnType<Authenticator['get']>, over: object = {}) =>
  b.send('POST', '/api/acc/sign/passkey/verify', { challengeId, response, ...over });

export const whoAmI = async (b: Browser): Promise<{ userId: string; enrolment: string } | null> =>
  (await b.get('/api/acc/token/session')).json<{ data: { userId: string; enrolment: string } | null }>().data;
