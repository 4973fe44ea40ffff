import { setTimeout as sleep } from 'node:timers/promises';
import { hostOf, isCheck } from './crawlState';
import type { CrawlState } from './crawlState';
import type { FrontierEntry } from './frontier';
import { retryAfterMs } from './governor';
import type { Outcome } from './governor';
import type { BasePage } from './protocol';
import type { Fetched, FetchOptions } from './terms';

/** A host that asks for a longer pause gets no more requests apart from those of pages. */
const longestWait = 60_000;

/** What a response says about the speed of requests to its host. */
export function outcomeOf(response: Fetched, now: number): Outcome {
  if (response.status === 429 || response.status === 503) return { kind: 'slow_down', retryAfterMs: retryAfterMs(response.headers['retry-after'], now) };
  if (response.error === 'timeout') return { kind: 'slow_down', retryAfterMs: 1000 };
  return response.status === 0 ? { kind: 'failed' } : { kind: 'ok', ms: response.firstByteMs };
}

/** A request before or after those of pages, as soon as the governor lets its host be requested. Null: that would be too late. */
export async function requestInTurn(state: CrawlState, url: string, options?: FetchOptions): Promise<Fetched | null> {
  const { governor, now } = state;
  const host = hostOf(url);
  for (let wait = governor.readyAt(host) - now(); wait > 0; wait = governor.readyAt(host) - now()) {
    if (wait > longestWait) return null;
    await sleep(wait);
  }
  governor.start(host, now());
  const response = await state.fetcher.send(url, options);
  governor.end(host, now(), outcomeOf(response, now()));
  return response;
}

/** Headers that ask whether a page of the base run has changed. */
export const conditionsOf = (base: BasePage | undefined): Record<string, string> => ({
  ...(base?.etag ? { 'if-none-match': base.etag } : {}),
  ...(base?.lastModified ? { 'if-modified-since': base.lastModified } : {}),
});

export type PageResponse = { readonly response: Fetched; readonly reused: boolean; readonly outcome: Outcome };
/** Requests a page. One that did not change since the base run is answered by its stored body, if `body` finds that. */
export async function requestPage(
  state: CrawlState,
  { url }: { readonly url: string },
  base: BasePage | undefined,
  body: (sha: string) => Promise<Buffer | null>,
): Promise<PageResponse> {
  const host = hostOf(url);
  const response = await state.fetcher.send(url, { headers: conditionsOf(base) });
  const outcome = outcomeOf(response, state.now());
  state.governor.end(host, state.now(), outcome);
  if (response.status !== 304 || base === undefined) return { response, reused: false, outcome };
  const stored = await body(base.sha);
  if (stored === null) {
    state.governor.again(host, state.now());
    return { response: await state.fetcher.send(url), reused: false, outcome };
  }
  const headers = { 'content-type': base.contentType, etag: base.etag ?? '', 'last-modified': base.lastModified ?? '', ...response.headers };
  return { response: { ...response, status: 200, body: stored, gzip: null, headers }, reused: true, outcome };
}

const mostAttempts = 3;
/** Failures that may pass; a third party is left alone. */
export function isTemporary(entry: FrontierEntry, { status, error }: Fetched): boolean {
  if (entry.attempts + 1 >= mostAttempts || isCheck(entry)) return false;
  return status === 429 || status >= 500 || (error !== null && ['timeout', 'network', 'refused', 'dns'].includes(error));
}

/** Requests the head of an address; from servers that do not support that, its first bytes. */
export async function checkAddress(state: CrawlState, url: string): Promise<Fetched> {
  const options = { timeout: 20_000 };
  const head = await state.fetcher.send(url, { ...options, method: 'HEAD' });
  const isAnswered = (head.status >= 200 && head.status < 400) || head.status === 429 || head.error === 'dns' || head.error === 'address_refused';
  if (isAnswered) return head;
  state.governor.again(hostOf(url), state.now());
  const found = await state.fetcher.send(url, { ...options, headers: { range: 'bytes=0-1023' }, maxBytes: 1024 * 1024 });
  // The server ignores the range, and the address works.
  if (found.error === 'too_large' && found.status >= 200 && found.status < 300) return { ...found, error: null };
  return found.status === 206 ? { ...found, status: 200 } : found;
}
