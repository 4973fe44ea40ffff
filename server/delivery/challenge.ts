import type { FastifyRequest } from 'fastify';
import { unknownCountry } from '../../contract/countryBlock/codes';
import { countryBlockLimits } from '../../contract/countryBlock/terms';
import { maskAddress } from '../collect/classify';
import type { Context } from '../context';
import * as challenge from '../kit/challenge';
import { cookieFor, cookieOf } from './visitorForms';

/** The challenge of country rules; its solution earns a signed pass. */
export const challengePath = '/_challenge';
export const challengeScriptPath = '/_challenge.js';

const cookieName = 'site_country';

type Clock = Pick<Context, 'secrets' | 'now'>;
/** What tasks and passes are valid for. `country` null: unknown. */
export type Challenged = { readonly siteId: string; readonly country: string | null; readonly address: string };

/** Phones change their address within a network, but not their country. */
const signedFor = (kind: 'task' | 'pass', { siteId, country, address }: Challenged): challenge.Signed => ({
  purpose: 'country challenge',
  subject: [kind, siteId, country ?? unknownCountry, maskAddress(address)].join(' '),
});

export const createTask = (ctx: Clock, challenged: Challenged): string => challenge.createTask(ctx, signedFor('task', challenged));

/** Whether the number solves the task, which has to be one of this visitor. */
export const isSolved = (ctx: Clock, challenged: Challenged, task: string, number: string): boolean =>
  challenge.isSolved(ctx, signedFor('task', challenged), task, number);

/** `Set-Cookie` of a visitor who has solved a task. */
export function passCookie(ctx: Clock, challenged: Challenged, request: Pick<FastifyRequest, 'protocol'>): string {
  const seconds = countryBlockLimits.challengeHours * 3600;
  return cookieFor(request, cookieName, challenge.sign(ctx, signedFor('pass', challenged), challenge.expiryIn(ctx, seconds)), seconds);
}

export function hasPassed(ctx: Clock, challenged: Challenged, request: Pick<FastifyRequest, 'headers'>): boolean {
  const value = cookieOf(request, cookieName);
  return value !== '' && challenge.isValid(ctx, signedFor('pass', challenged), value);
}
