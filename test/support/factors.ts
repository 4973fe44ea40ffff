import { createHmac } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { Browser, Person, TestApp } from './app';
import { ownerPassword } from './app';
import { makeAuthenticator } from './authenticator';
import type { Authenticator } from './authenticator';

export const stepMs = 30_000;

/** An authenticator app: the code at `at` (epoch milliseconds), by RFC 4226 §5.3 and RFC 6238, implemented independently. */
export function codeAt(secret: string, at: number): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / stepMs)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Requires a successful response. */
function good(answer: LightMyRequestResponse): LightMyRequestResponse {
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer;
}

/** Sets up an authenticator app with the code of the previous time step, so that the current one is still unused. */
export async function addTotp(t: TestApp, person: Person): Promise<{ secret: string; codes: string[] | null }> {
  const { secret } = good(await person.send('POST', '/api/acc/totp/begin')).json<{ data: { secret: string } }>().data;
  const answer = await person.send('POST', '/api/acc/totp/confirm', { code: codeAt(secret, t.ctx.now() - stepMs) });
  return { secret, codes: good(answer).json<{ data: { recoveryCodes: string[] | null } }>().data.recoveryCodes };
}

export type Offer = { readonly challengeId: string; readonly options: Record<string, unknown> };

export async function addPasskey(t: TestApp, person: Person, name = '笔记本', authenticator = makeAuthenticator(new URL(t.ctx.config.publicUrl).origin)) {
  const offer = good(await person.send('POST', '/api/acc/passkeys/options')).json<{ data: Offer }>().data;
  const answer = await person.send('POST', '/api/acc/passkeys', { challengeId: offer.challengeId, response: authenticator.create(offer.options), name });
  const { passkey, recoveryCodes } = good(answer).json<{ data: { passkey: { id: string; name: string }; recoveryCodes: string[] | null } }>().data;
  return { authenticator, passkey, codes: recoveryCodes };
}

/** Signs in with the correct password; throws if no second step follows. */
export async function askTicket(b: Browser, login: string, over: object = {}): Promise<{ ticket: string; methods: string[] }> {
  const data = good(await b.send('POST', '/api/acc/sign/in', { login, password: ownerPassword, ...over })).json<{
    data: { next?: string; ticket: string; methods: string[] };
  }>().data;
  if (data.next !== 'second') throw new Error('no second step was asked for');
  return data;
}

export const second = (b: Browser, ticket: string, code: string, kind: 'totp' | 'recovery' = 'totp') =>
  b.send('POST', '/api/acc/sign/second', { ticket, kind, code });

export const askPasskey = async (b: Browser, ticket?: string): Promise<Offer> =>
  good(await b.send('POST', '/api/acc/sign/passkey/options', ticket === undefined ? {} : { ticket })).json<{ data: Offer }>().data;

export const answerPasskey = (b: Browser, challengeId: string, response: ReturnType<Authenticator['get']>, over: object = {}) =>
  b.send('POST', '/api/acc/sign/passkey/verify', { challengeId, response, ...over });

export const whoAmI = async (b: Browser): Promise<{ userId: string; enrolment: string } | null> =>
  (await b.get('/api/acc/token/session')).json<{ data: { userId: string; enrolment: string } | null }>().data;
