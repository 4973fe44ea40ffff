import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { challengeBits, countryBlockLimits, unknownCountry } from '../../contract/countryBlock/terms';
import { maskAddress } from '../collect/classify';
import type { Context } from '../context';
import { sameSecret } from '../secrets';
import { cookieFor, cookieOf } from './visitorForms';

/**
 * A task that costs a browser about half a second and a program that sends thousands of requests much more: a number with which the SHA-256 of the task begins with
 * zero bits. The task is signed instead of stored, and so is the pass that its solution earns.
 */
export const challengePath = '/_challenge';
export const challengeScriptPath = '/_challenge.js';

const cookieName = 'site_country';
const taskMinutes = 10;
const purpose = 'country challenge';

/** What tasks and passes are valid for. `country` null: unknown. */
export type Challenged = { readonly siteId: string; readonly country: string | null; readonly address: string };

/** Phones change their address within a network, but not their country. */
const subjectOf = ({ siteId, country, address }: Challenged): string => [siteId, country ?? unknownCountry, maskAddress(address)].join(' ');

const signed = (ctx: Pick<Context, 'secrets'>, kind: 'task' | 'pass', subject: string, content: string): string =>
  `${content}.${ctx.secrets.mac(purpose, [kind, subject, content].join(' '))}`;

/** Whether a text was signed for the subject and has not expired. Its content begins with the time of expiry in seconds. */
function isValid(ctx: Pick<Context, 'secrets' | 'now'>, kind: 'task' | 'pass', subject: string, text: string): boolean {
  const content = text.slice(0, Math.max(0, text.lastIndexOf('.')));
  return sameSecret(signed(ctx, kind, subject, content), text) && Number.parseInt(content, 10) * 1000 > ctx.now();
}

export const createTask = (ctx: Pick<Context, 'secrets' | 'now'>, challenged: Challenged): string =>
  signed(ctx, 'task', subjectOf(challenged), `${String(Math.ceil(ctx.now() / 1000) + taskMinutes * 60)}.${randomBytes(12).toString('base64url')}`);

/** Whether the number solves the task, which has to be one of this visitor. */
export function isSolved(ctx: Pick<Context, 'secrets' | 'now'>, challenged: Challenged, task: string, number: string): boolean {
  if (!/^\d{1,12}$/.test(number) || !isValid(ctx, 'task', subjectOf(challenged), task)) return false;
  const digest = createHash('sha256').update(`${task}.${number}`).digest();
  return digest.readUInt32BE(0) >>> (32 - challengeBits) === 0;
}

/** `Set-Cookie` of a visitor who has solved a task. */
export function passCookie(ctx: Pick<Context, 'secrets' | 'now'>, challenged: Challenged, request: Pick<FastifyRequest, 'protocol'>): string {
  const seconds = countryBlockLimits.challengeHours * 3600;
  const value = signed(ctx, 'pass', subjectOf(challenged), String(Math.ceil(ctx.now() / 1000) + seconds));
  return cookieFor(request, cookieName, value, seconds);
}

export function hasPassed(ctx: Pick<Context, 'secrets' | 'now'>, challenged: Challenged, request: Pick<FastifyRequest, 'headers'>): boolean {
  const value = cookieOf(request, cookieName);
  return value !== '' && isValid(ctx, 'pass', subjectOf(challenged), value);
}
