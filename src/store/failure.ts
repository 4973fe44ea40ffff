import type { ErrorCode, FieldCode } from '@contract/errors';

/** Why one field was refused; `min` and `max` carry the numbers for its words. */
export type FieldFailure = { readonly code: FieldCode; readonly min?: number; readonly max?: number };

/**
 * A failed call as a plain, serialisable value.
 * `api`: an answer with the error envelope. `html`: an HTML page instead of one. `http`: any other answer.
 * `network`, `timeout`, `aborted`: no answer; `status` is 0 then.
 */
export type ApiFailure = {
  readonly kind: 'api' | 'html' | 'http' | 'network' | 'timeout' | 'aborted';
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly code?: ErrorCode;
  /** For the reader: the server's text, the page's title, the plain text or the status text. Empty when there was no answer. */
  readonly message: string;
  readonly fields?: Readonly<Record<string, FieldFailure>>;
  readonly requestId?: string;
  /** The whole HTML page, for `html`. */
  readonly body?: string;
  /** The object as it is now, for `stale_revision`; what leads to it, for `referenced`. */
  readonly current?: unknown;
};

const kinds: readonly string[] = ['api', 'html', 'http', 'network', 'timeout', 'aborted'] satisfies ApiFailure['kind'][];

export const isFailure = (value: unknown): value is ApiFailure =>
  typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(String(value.kind)) && 'status' in value;

/** Nothing came back, or something between the browser and the program answered for it: asking again may help. */
export const isPassing = (failure: ApiFailure): boolean =>
  failure.kind === 'network' || (failure.kind !== 'aborted' && failure.status >= 502 && failure.status <= 504);

/** Another person or tab changed the object first; `current` says how it is now. */
export const isStale = (failure: ApiFailure): boolean => failure.code === 'stale_revision';
