import type { ErrorCode, FailureBody } from '@contract/errors';

/** Why a call failed, as far as the sign page distinguishes. Times in seconds. */
export type Failure =
  | { readonly kind: 'network' }
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly code: ErrorCode | null;
      readonly fields: NonNullable<FailureBody['fields']>;
      readonly requestId: string | null;
      readonly retryAfter: number | null;
    };

export type CallResult<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly failure: Failure };

/** Seconds of a `Retry-After` header, which holds either seconds or a date (RFC 9110 §10.2.3). */
function secondsOf(header: string | null): number | null {
  if (header === null || header === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function parsed(text: string): { data?: unknown } & Partial<FailureBody> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/**
 * POSTs JSON to the console's API and reads the envelope; a response without content (204) gives null. Never throws: the sign page must have a
 * message for every outcome. It has its own helper because the store is too large for this page.
 */
export async function post<T>(path: string, body: unknown): Promise<CallResult<T>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(new URL(path, location.origin), {
      method: 'POST',
      credentials: 'include',
      cache: 'no-store',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-requested-with': 'console',
        'accept-language': document.documentElement.lang,
      },
      body: JSON.stringify(body),
    });
    text = await response.text();
  } catch {
    return { ok: false, failure: { kind: 'network' } };
  }
  if (response.ok && text === '') return { ok: true, data: null as T };
  const envelope = parsed(text);
  if (response.ok && typeof envelope.error !== 'string' && 'data' in envelope) return { ok: true, data: envelope.data as T };
  return {
    ok: false,
    failure: {
      kind: 'response',
      status: response.status,
      code: envelope.code ?? null,
      fields: envelope.fields ?? {},
      requestId: envelope.requestId ?? null,
      retryAfter: secondsOf(response.headers.get('retry-after')),
    },
  };
}
