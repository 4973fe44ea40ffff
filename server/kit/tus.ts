import { DataStore, ERRORS, Server, Upload } from '@tus/server';
import type { Lock, Locker } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { ErrorCode } from '../../contract/errors';
import type { Context } from '../context';
import { fail } from '../http/failure';
import type { FileKey } from '../stores/files/keys';
import { checkSpace } from './uploads';
import type { Receiving, uploadsIn } from './uploads';

/** Bytes that are buffered before they are appended, and durable, at once: most of the time of a smaller one would be spent on syncing it. */
const appendBytes = 4 * 1024 ** 2;

/** An upload as its area stores it. */
export type StoredUpload = { readonly id: string; readonly bytes: number; readonly createdAt: Date };
export type NewUpload = { readonly name: string; readonly bytes: number; readonly metadata: Readonly<Record<string, string | null>> };
/** How an area stores uploads. `create` and `remove` are absent where calls of the area's own do so. */
export type UploadArea = {
  /** Called before every chunk; throws if the upload may not go on, such as by a limit of its area. */
  readonly check?: (upload: StoredUpload) => Promise<void>;
  readonly key: (id: string) => FileKey;
  readonly find: (id: string) => Promise<StoredUpload | null>;
  readonly create?: (upload: NewUpload) => Promise<StoredUpload>;
  readonly remove?: (id: string) => Promise<void>;
};

/** Resumable uploads into the file store: what a request has delivered is durable, also when its connection breaks. */
class FileStoreUploads extends DataStore {
  override extensions = ['creation', 'termination'];
  readonly #ctx: Context;
  readonly #area: UploadArea;
  constructor(ctx: Context, area: UploadArea) {
    super();
    this.#ctx = ctx;
    this.#area = area;
  }
  override async create(upload: Upload): Promise<Upload> {
    const bytes = upload.size ?? fail('bad_request');
    await checkSpace(this.#ctx, bytes);
    const { name, ...metadata } = upload.metadata ?? {};
    const { id, createdAt } = (await this.#area.create?.({ name: name ?? '', bytes, metadata })) ?? fail('not_found');
    return Object.assign(upload, { id, creation_date: createdAt.toISOString() });
  }
  override async getUpload(id: string): Promise<Upload> {
    const stored = await this.#area.find(id);
    if (!stored) throw ERRORS.FILE_NOT_FOUND;
    const offset = (await this.#ctx.files.stat(this.#area.key(id)))?.size ?? 0;
    return new Upload({ id, size: stored.bytes, offset, creation_date: stored.createdAt.toISOString() });
  }
  override async write(stream: Readable, id: string, start: number): Promise<number> {
    const ctx = this.#ctx;
    const key = this.#area.key(id);
    const upload = (await this.#area.find(id)) ?? fail('not_found');
    let offset = start;
    let buffered: Buffer[] = [];
    let size = 0;
    const append = async (): Promise<void> => {
      const chunk = Buffer.concat(buffered);
      [buffered, size] = [[], 0];
      await checkSpace(ctx, chunk.length);
      await this.#area.check?.(upload);
      // Another process may serve a second connection for the same upload.
      if (!(await ctx.postgres.withLock(`upload ${id}`, () => ctx.files.append(key, offset, chunk)))) throw ERRORS.INVALID_OFFSET;
      offset += chunk.length;
    };
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      buffered.push(chunk);
      size += chunk.length;
      if (size >= appendBytes) await append();
    }
    if (size > 0) await append();
    return offset;
  }
  override async remove(id: string): Promise<void> {
    if (!(await this.#area.find(id))) throw ERRORS.FILE_NOT_FOUND;
    await this.#area.remove?.(id);
  }
}

/** Errors of the protocol as those of the contract. */
const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  403: 'bad_request',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  412: 'bad_request',
  413: 'too_large',
  415: 'unsupported_media_type',
};
/** Headers of the protocol; the library's CORS headers are left out, because only the console sends uploads. */
const headers = ['location', 'tus-resumable', 'upload-length', 'upload-offset', 'upload-metadata', 'cache-control'] as const;

/** Milliseconds that a request waits for another one of the same upload to end. */
const lockWait = 10_000;

/**
 * One request at a time for each upload. A second one, such as that of a browser whose connection broke unnoticed, asks the first to end and waits. (The
 * library's own lock in memory polls without a pause meanwhile.)
 */
class UploadLocker implements Locker {
  readonly #held = new Map<string, { readonly askToEnd: () => void | Promise<void>; readonly ended: Promise<void> }>();
  newLock(id: string): Lock {
    const held = this.#held;
    let release = (): void => undefined;
    return {
      async lock(signal, askToEnd) {
        const deadline = AbortSignal.any([signal, AbortSignal.timeout(lockWait)]);
        for (let other = held.get(id); other !== undefined; other = held.get(id)) {
          await other.askToEnd();
          await Promise.race([other.ended, aborted(deadline)]);
          if (deadline.aborted) throw ERRORS.ERR_LOCK_TIMEOUT;
        }
        held.set(id, { askToEnd, ended: new Promise((resolve) => (release = resolve)) });
      },
      async unlock() {
        held.delete(id);
        release();
      },
    };
  }
}
const aborted = (signal: AbortSignal): Promise<void> => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** `path`: of all uploads of the area. `id`: of the upload; absent where it is the last part of the address. */
export type TusCall = {
  readonly area: UploadArea;
  readonly path: string;
  readonly id?: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/**
 * Returns a function that serves requests of tus 1.0 (https://tus.io/protocols/resumable-upload) below `path`; errors become failures of the contract. `maxBytes`:
 * of one upload; `Infinity` if its area checks the size.
 */
export function tusUploads(ctx: Context, maxBytes: number): (call: TusCall) => Promise<FastifyReply> {
  const locker = new UploadLocker();
  return async ({ area, path, id, request, reply }) => {
    let thrown: unknown;
    const server = new Server({
      path,
      locker,
      ...(Number.isFinite(maxBytes) ? { maxSize: maxBytes } : {}),
      relativeLocation: true,
      ...(id === undefined ? {} : { getFileIdFromRequest: () => id }),
      datastore: new FileStoreUploads(ctx, area),
      onResponseError: (_request, error) => void (thrown = error),
    });
    const response = await server.handleWeb(webRequest(request));
    if (response.status >= 400) {
      if (thrown instanceof Error) throw thrown;
      fail(codes[response.status] ?? 'internal');
    }
    for (const name of headers) {
      const value = response.headers.get(name);
      if (value !== null) void reply.header(name, value);
    }
    return reply.code(response.status).send();
  };
}

/**
 * Returns the handler of the two calls of a file that was announced before it is sent: it receives the next chunk, or says how much has arrived. `find` throws if
 * there is no such file; once it is not `isOpen`, chunks are refused with `bad_transition`.
 */
export function fileReceiver<Call extends Pick<TusCall, 'request' | 'reply'>>(
  ctx: Context,
  uploads: Pick<ReturnType<typeof uploadsIn>, 'receiving'>,
  find: (call: Call) => Promise<Receiving & { readonly isOpen: boolean }>,
): (call: Call) => Promise<FastifyReply> {
  const serve = tusUploads(ctx, ctx.config.importMaxBytes);
  return async (call) => {
    const { request, reply } = call;
    const file = await find(call);
    if (request.method === 'PATCH' && !file.isOpen) fail('bad_transition');
    return serve({ ...uploads.receiving(file), path: '/', request, reply });
  };
}

function webRequest({ raw, headers: received, body }: FastifyRequest): Request {
  const headerList = Object.entries(received).flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []));
  const hasBody = body instanceof Readable;
  return new Request(new URL(raw.url ?? '/', 'http://localhost'), {
    method: raw.method ?? 'GET',
    headers: headerList,
    ...(hasBody ? { body: Readable.toWeb(body) as BodyInit, duplex: 'half' } : {}),
  });
}
