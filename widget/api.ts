import type {
  ConversationResponse,
  HelloResponse,
  NewConversation,
  OfflineForm,
  VisitedPage,
  VisitorConversation,
  VisitorFailure,
  VisitorMessage,
} from '../contract/support/visitors';
import { solveTask } from './sha256';
import { stored } from './storage';
import type { Store } from './storage';

/** A response that is not a success. `status` 0: no response. */
export class CallFailure extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds after which to try again. */
  readonly retryAfter: number;
  /** Names of fields that were refused. */
  readonly fields: readonly string[];
  constructor(status: number, code: string, retryAfter = 0, fields: readonly string[] = []) {
    super(code);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.fields = fields;
  }
  /** Whether the same call can succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

type Options = {
  readonly method?: 'GET' | 'POST';
  readonly body?: object | File;
  readonly query?: Readonly<Record<string, string>>;
  readonly keepalive?: boolean;
  readonly isAnonymous?: boolean;
};

/** Time after which a call counts as unanswered, in milliseconds; uploads have more. */
const patience = 20_000;
const uploadPatience = 180_000;
const mostTasks = 3;
/** Browsers limit what may outlive a page to 64 KiB. */
const mostKeepalive = 60_000;

async function failureOf(response: Response): Promise<VisitorFailure> {
  try {
    return (await response.json()) as VisitorFailure;
  } catch {
    return { code: 'unavailable' };
  }
}

export type Api = ReturnType<typeof createApi>;

/** Calls of the visitors' API. `base` ends with a slash. */
export function createApi(base: string, site: string, store: Store) {
  const urlOf = (path: string, query: Readonly<Record<string, string>> = {}): string =>
    `${base}${path}?${new URLSearchParams({ s: site, ...query }).toString()}`;
  const headersOf = (isAnonymous: boolean, more: Readonly<Record<string, string>>): Record<string, string> => {
    const token = store.get(stored.token);
    return { ...(token === null || isAnonymous ? {} : { 'x-visitor': token }), ...more };
  };

  async function request(path: string, { method = 'POST', body, query, keepalive = false, isAnonymous = false }: Options = {}): Promise<Response> {
    const isFile = body instanceof File;
    const content = body === undefined || isFile ? body : JSON.stringify(body);
    const proofs: Record<string, string> = {};
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(urlOf(path, query), {
        method,
        headers: headersOf(isAnonymous, {
          ...(body === undefined ? {} : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
          ...proofs,
        }),
        ...(content === undefined ? {} : { body: content }),
        credentials: 'same-origin',
        cache: 'no-store',
        keepalive: keepalive && typeof content === 'string' && content.length * 3 < mostKeepalive,
        signal: AbortSignal.timeout(isFile ? uploadPatience : patience),
      }).catch(() => null);
      if (response === null) throw new CallFailure(0, 'unreachable');
      if (response.ok) return response;
      const failure = await failureOf(response);
      if (failure.task === undefined || failure.bits === undefined || attempt >= mostTasks)
        throw new CallFailure(response.status, failure.code, Number(response.headers.get('retry-after') ?? 0), Object.keys(failure.fields ?? {}));
      proofs['x-challenge'] = `${failure.task}.${String(await solveTask(failure.task, failure.bits))}`;
    }
  }
  const read = async <T>(path: string, options?: Options): Promise<T> => ((await (await request(path, options)).json()) as { data: T }).data;
  const call = async (path: string, options?: Options): Promise<void> => void (await request(path, options));
  const at = (id: string, rest: string): string => `conversations/${id}/${rest}`;

  return {
    urlOf,
    /** The token is sent by visitors about whom something is stored, so that the others cost no look-up. */
    hello: (language: string, url: string) =>
      read<HelloResponse | { config: null }>('hello', { body: { language, url }, isAnonymous: store.get(stored.known) === null }),
    begin: (body: NewConversation) => read<ConversationResponse>('conversations', { body, keepalive: true }),
    leaveForm: (body: OfflineForm) => call('form', { body, keepalive: true }),
    messages: (id: string, query: Readonly<Record<string, string>>) => read<ConversationResponse>(at(id, 'messages'), { method: 'GET', query }),
    send: (id: string, clientId: string, text: string) => read<VisitorMessage>(at(id, 'messages'), { body: { clientId, text }, keepalive: true }),
    sendFile: (id: string, clientId: string, file: File) =>
      read<VisitorMessage>(at(id, 'files'), { body: file, query: { clientId, name: file.name.slice(-120) } }),
    typing: (id: string) => call(at(id, 'typing')),
    read: (id: string, seq: number) => read<VisitorConversation>(at(id, 'read'), { body: { seq } }),
    rate: (id: string, rating: number, comment: string) => read<VisitorConversation>(at(id, 'rating'), { body: { rating, comment } }),
    page: (id: string, page: VisitedPage) => call(at(id, 'page'), { body: page }),
    transcript: async (id: string) => (await request(at(id, 'transcript'), { method: 'GET' })).blob(),
    /** Opens the stream behind a version. Rejects where there is none. */
    stream: async (id: string, after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
      const response = await fetch(urlOf(at(id, 'events')), {
        headers: headersOf(false, { 'last-event-id': String(after) }),
        credentials: 'same-origin',
        cache: 'no-store',
        signal,
      });
      if (!response.ok || response.body === null) throw new CallFailure(response.status, 'stream', Number(response.headers.get('retry-after') ?? 0));
      return response.body;
    },
  };
}
