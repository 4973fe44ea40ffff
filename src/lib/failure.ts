import type { ErrorCode, FieldCode } from '@contract/errors';

/** Why one field was refused; `min` and `max` are the numbers for its message. */
export type FieldFailure = { readonly code: FieldCode; readonly min?: number; readonly max?: number };

/**
 * A failed call as a plain, serializable value. `api`: a response with the error envelope. `html`: an HTML page instead of one. `http`: any other
 * response. `network`, `timeout`, `aborted`: no response; `status` is 0 then.
 */
export type ApiFailure = {
  readonly kind: 'api' | 'html' | 'http' | 'network' | 'timeout' | 'aborted';
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly code?: ErrorCode;
  /** For the reader: the server's text, the page's title, the plain text or the status text. Empty if there was no response. */
  readonly message: string;
  readonly fields?: Readonly<Record<string, FieldFailure>>;
  readonly requestId?: string;
  /** The whole HTML page, for `html`. */
  readonly body?: string;
  /** The current object, for `stale_revision`; what refers to it, for `referenced`. */
  readonly current?: unknown;
};

const kinds: readonly string[] = ['api', 'html', 'http', 'network', 'timeout', 'aborted'] satisfies ApiFailure['kind'][];

export const isFailure = (value: unknown): value is ApiFailure =>
  typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(String(value.kind)) && 'status' in value;

/** No response, or one from something between the browser and the server: a retry may help. */
export const isPassing = (failure: ApiFailure): boolean =>
  failure.kind === 'network' || (failure.kind !== 'aborted' && failure.status >= 502 && failure.status <= 504);

/** A text in the reader's language, or the key of one with its values. */
export type FailureText =
  | { readonly text: string }
  | { readonly key: 'ui:offline' | 'ui:timeout' | 'ui:unavailable' | 'ui:unexpected'; readonly values: { readonly status: number } };

/**
 * What a failed call tells the reader: the program's own text. Texts of whatever stands between (the status text or page of a proxy) are in the language
 * of their authors, so a sentence with the status replaces them.
 */
export function failureText(failure: Pick<ApiFailure, 'status' | 'message'> & { readonly kind: string }): FailureText {
  const { kind, status, message } = failure;
  const values = { status };
  if (kind === 'timeout') return { key: 'ui:timeout', values };
  if (status === 0 || kind === 'network' || kind === 'aborted') return { key: 'ui:offline', values };
  if (kind === 'api' && message !== '') return { text: message };
  return { key: status >= 502 && status <= 504 ? 'ui:unavailable' : 'ui:unexpected', values };
}

/** Another person or tab changed the object first; `current` is its present version. */
export const isStale = (failure: ApiFailure): boolean => failure.code === 'stale_revision';
