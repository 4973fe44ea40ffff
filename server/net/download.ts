import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseUrl } from '../../contract/parseUrl';
import { ConnectRefused, literalRefusal, sendRequest } from './publicAddress';

/** A file that the operator of this program names by its address, which may be a mirror of the local network. */

/** What a server said about the file that was downloaded last, so that it is not sent again. */
export type Validators = { readonly etag: string | null; readonly modified: string | null };
export type Downloaded = Validators & { readonly body: Buffer };

/**
 * unreachable   no answer, or one that broke off
 * refused       the server answered with another status than 200; `detail`: the status
 * private       a redirect leads to this machine or a private network
 * too_large     more than the bytes that were allowed
 */
export type DownloadProblem = 'unreachable' | 'refused' | 'private' | 'too_large';

export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed';
  readonly problem: DownloadProblem;

  constructor(problem: DownloadProblem, detail: string, options?: ErrorOptions) {
    super(`${problem}: ${detail}`, options);
    this.problem = problem;
  }
}

export type DownloadOptions = {
  /** Of the body as it arrives, and unpacked. */
  readonly bytes: number;
  readonly known?: Validators;
  readonly signal: AbortSignal;
  /** Called with the bytes that have arrived, and their total, if the server states it. What it throws ends the download. */
  readonly onProgress?: (done: number, total: number | null) => Promise<void>;
};

/** Releases on GitHub and many mirrors redirect. */
const mostRedirects = 4;

const asFailure = (error: unknown): DownloadFailed =>
  error instanceof ConnectRefused && error.code === 'address_refused'
    ? new DownloadFailed('private', error.detail, { cause: error })
    : new DownloadFailed('unreachable', error instanceof Error ? error.message : '', { cause: error });

/** Sends the request, following redirects: to the named host, or to public addresses. */
async function responseOf(source: string, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
  const named = new URL(source);
  let url = named;
  for (let redirects = 0; ; redirects += 1) {
    const options = { allowNear: url.host === named.host };
    const refusal = literalRefusal(url, options);
    if (refusal !== null) throw asFailure(refusal);
    const response = await sendRequest(url, { headers, signal }, options).catch((error: unknown) => Promise.reject(asFailure(error)));
    const { statusCode = 0, headers: sent } = response;
    if (statusCode < 301 || statusCode > 308 || statusCode === 304 || sent.location === undefined) return response;
    response.destroy();
    const target = parseUrl(sent.location, url);
    if (redirects === mostRedirects || target === null) throw new DownloadFailed('refused', 'redirects');
    if (url.protocol === 'https:' && target.protocol !== 'https:') throw new DownloadFailed('refused', 'a redirect without encryption');
    url = target;
  }
}

async function bodyOf(response: IncomingMessage, { bytes, onProgress }: DownloadOptions): Promise<Buffer> {
  const length = Number(response.headers['content-length'] ?? Number.NaN);
  const total = Number.isSafeInteger(length) ? length : null;
  if (total !== null && total > bytes) throw new DownloadFailed('too_large', String(total));
  const chunks: Buffer[] = [];
  let done = 0;
  const arriving = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  for (;;) {
    const next = await arriving.next().catch((error: unknown) => Promise.reject(asFailure(error)));
    if (next.done === true) return Buffer.concat(chunks);
    chunks.push(next.value);
    done += next.value.length;
    if (done > bytes) throw new DownloadFailed('too_large', String(done));
    await onProgress?.(done, total);
  }
}

const unzip = promisify(gunzip);

/** A body without gzip, in which a file or an answer may be packed, or both. */
async function unpacked(body: Buffer, bytes: number): Promise<Buffer> {
  let plain = body;
  for (let layers = 0; layers < 2 && plain[0] === 0x1f && plain[1] === 0x8b; layers += 1)
    try {
      plain = await unzip(plain, { maxOutputLength: bytes });
    } catch (error) {
      const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      throw new DownloadFailed(isLarge ? 'too_large' : 'unreachable', 'gzip', { cause: error });
    }
  return plain;
}

/** The file at an address, unpacked; null: it has not changed. Throws `DownloadFailed`, and what `onProgress` throws. */
export async function download(source: string, options: DownloadOptions): Promise<Downloaded | null> {
  const { known, signal, bytes } = options;
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'Sitewright/1',
    ...(known?.etag != null && { 'if-none-match': known.etag }),
    ...(known?.modified != null && { 'if-modified-since': known.modified }),
  };
  const response = await responseOf(source, headers, signal);
  try {
    if (response.statusCode === 304 && known !== undefined) return null;
    if (response.statusCode !== 200) throw new DownloadFailed('refused', `status ${String(response.statusCode)}`);
    const body = await unpacked(await bodyOf(response, options), bytes);
    return { body, etag: response.headers.etag ?? null, modified: response.headers['last-modified'] ?? null };
  } finally {
    response.destroy();
  }
}
