import type { IncomingMessage } from 'node:http';
import type { ResourceKind } from '../../../contract/resources/terms';
import { resourceLimits } from '../../../contract/resources/terms';
import { parseUrl } from '../../../contract/parseUrl';
import type { Context } from '../../context';
import { checkSpace } from '../../kit/uploads';
import { ConnectRefused, sendRequest } from '../../net/publicAddress';
import { uploadFolder, uploadKey } from './files';
import { acceptPending, acceptWanted } from './pending';
import * as queries from './queries';
import { roomFor, withRoom } from './storage';

export const addressLimits = { ms: 60_000, redirects: 5, bytes: 100 * 1024 * 1024 } as const;

const asReader = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Mozilla/5.0 (compatible; Sitewright)' };

/** Sends the request and follows redirects; the address of every hop is checked before it is connected to. */
async function open(ctx: Context, start: URL, signal: AbortSignal): Promise<IncomingMessage> {
  let url = start;
  for (let hop = 0; hop <= addressLimits.redirects; hop += 1) {
    const response = await sendRequest(url, { headers: asReader, signal }, { allowNear: ctx.config.privateSites });
    const { statusCode: status = 0, headers } = response;
    if (status === 200) return response;
    response.destroy();
    const target = status >= 300 && status < 400 && headers.location !== undefined ? parseUrl(headers.location, url) : null;
    if (target === null) throw new ConnectRefused('not_reachable', String(status));
    url = target;
  }
  throw new ConnectRefused('not_reachable', 'too many redirects');
}

/** The body as it arrives; fails beyond the limit, so that nothing of it is stored. */
async function* limited(response: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ConnectRefused('not_reachable', 'too large');
    yield chunk;
  }
}

/** The last part of the path of an address, as the name of a file. */
function nameOf(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname;
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // A path that is not percent-encoded UTF-8 is the name unchanged.
  }
  // As `safeName` requires: no control characters, and none that turn the direction of writing and so disguise an ending.
  // oxlint-disable-next-line no-control-regex
  const safe = name.normalize('NFC').replaceAll(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069/\\]/g, '_');
  return (
    safe
      .slice(0, resourceLimits.name)
      .replace(/[\uD800-\uDBFF]$/, '')
      .trim() || url.hostname
  );
}

export type Addressed = {
  readonly siteId: string;
  readonly url: string;
  readonly name: string | null;
  readonly folderId?: string | null;
  readonly createdBy: string | null;
};

/**
 * Fetches a file from a public address and stores it as a resource; its id. Null if it is malware or of none of `kinds`, which its content
 * decides. Throws `ConnectRefused` if the address cannot be reached, is not public, or its file is too large, also for the limits of the site; `too_large` if the
 * store is full.
 */
export async function addFromAddress(
  ctx: Context,
  { siteId, url, name, folderId = null, createdBy }: Addressed,
  kinds: readonly ResourceKind[],
): Promise<string | null> {
  const { db } = ctx.postgres;
  const address = new URL(url);
  const most = Math.min(addressLimits.bytes, await roomFor(ctx, siteId));
  await checkSpace(ctx, most);
  const response = await open(ctx, address, AbortSignal.timeout(addressLimits.ms));
  const upload = await queries.addUpload(db, {
    siteId,
    name: name ?? nameOf(address),
    // Corrected below: the length that a server announces may be wrong. Until then nothing accepts the upload, and it has no place in the site's storage.
    bytes: -1,
    folderId,
    replaces: null,
    createdBy,
    createdAt: new Date(ctx.now()),
  });
  try {
    await ctx.files.put(uploadKey(upload.id), limited(response, most));
    const bytes = (await ctx.files.stat(uploadKey(upload.id)))?.size ?? 0;
    // More than arrived, so that nothing else accepts the upload.
    await withRoom(ctx, siteId, bytes, () => queries.setUploadBytes(db, upload.id, bytes + 1));
    const pendingUntil = new Date(ctx.now() + 3_600_000);
    const id = await acceptWanted(ctx, upload, { bytes, pendingUntil, sender: 'member' }, ({ kind }) => kinds.includes(kind));
    if (id === null || !(await acceptPending(db, siteId, [id], new Date(ctx.now())))) return null;
    ctx.live.publish({ type: 'resources', siteId });
    return id;
  } catch (error) {
    if (error instanceof ConnectRefused || !response.complete) throw error instanceof ConnectRefused ? error : new ConnectRefused('not_reachable', 'ERROR');
    throw error;
  } finally {
    await queries.removeUpload(db, upload.id);
    await ctx.files.removeAll(uploadFolder(upload.id));
  }
}
