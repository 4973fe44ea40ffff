import type { z } from 'zod';
import { errorStatus, fieldCodes } from '../../contract/errors';
import type { ErrorCode, FailureBody, FieldCode } from '../../contract/errors';
import type { Locale } from './access';

export type FieldError = {
  readonly code: FieldCode;
  readonly min?: number;
  readonly max?: number;
  /** A message written by a person for this rule. */ readonly message?: string;
};
export type FieldErrors = Readonly<Record<string, FieldError>>;

export type FailureExtra = {
  readonly fields?: FieldErrors;
  /** The current object (`stale_revision`). */
  readonly current?: unknown;
  /** In place of the message of the code, where it can say more. */
  readonly message?: Readonly<Record<Locale, string>>;
  /** Whole seconds until the caller may try again; becomes `Retry-After`. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
};

/** An expected refusal. May be thrown anywhere below a route; `sendFailure` turns it into a response in the reader's language. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly current: unknown;
  readonly retryAfter: number | undefined;
  /** In place of the message of the code. */
  readonly texts: Readonly<Record<Locale, string>> | undefined;

  constructor(code: ErrorCode, extra: FailureExtra = {}) {
    super(code, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.code = code;
    this.fields = extra.fields;
    this.current = extra.current;
    this.retryAfter = extra.retryAfter;
    this.texts = extra.message;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** Throws a `Failure`. */
export function fail(code: ErrorCode, extra?: FailureExtra): never {
  throw new Failure(code, extra);
}

/** Throws `invalid_fields` for one field. */
export const failField = (name: string, code: FieldCode): never => fail('invalid_fields', { fields: { [name]: { code } } });

export const failureBody = (failure: Failure, message: string, requestId: string): FailureBody => ({
  error: message,
  code: failure.code,
  requestId,
  ...(failure.fields ? { fields: failure.fields } : {}),
  ...(failure.current === undefined ? {} : { current: failure.current }),
});

const isFieldCode = (text: string): text is FieldCode => (fieldCodes as readonly string[]).includes(text);

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined), root);

function fieldErrorOf(issue: z.core.$ZodIssue, input: unknown): FieldError {
  // The contract may set the code itself, as the message of a check.
  if (isFieldCode(issue.message)) return { code: issue.message };
  const value = valueAt(input, issue.path);
  if (value === undefined) return { code: 'required' };
  switch (issue.code) {
    case 'too_small':
      if (issue.origin !== 'string' && issue.origin !== 'array') return { code: 'out_of_range', min: Number(issue.minimum) };
      return typeof value === 'string' && value.trim() === '' ? { code: 'required' } : { code: 'too_short', min: Number(issue.minimum) };
    case 'too_big':
      return { code: issue.origin === 'string' || issue.origin === 'array' ? 'too_long' : 'out_of_range', max: Number(issue.maximum) };
    case 'invalid_format':
      if (value === '') return { code: 'required' };
      return { code: issue.format === 'email' ? 'not_an_email' : issue.format === 'url' ? 'not_a_url' : 'pattern' };
    case 'invalid_value':
      return { code: typeof value === 'string' ? 'pattern' : 'wrong_type' };
    case 'custom':
      return { code: 'pattern' };
    default:
      return { code: 'wrong_type' };
  }
}

/** The first error of each field, keyed by its dotted path (`props.0.name`). The key `''` refers to the whole body. */
export function fieldsOf(error: z.ZodError, input: unknown): FieldErrors {
  const fields: Record<string, FieldError> = {};
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) fields[[...issue.path, key].join('.')] ??= { code: 'unknown_field' };
    } else {
      fields[issue.path.join('.')] ??= fieldErrorOf(issue, input);
    }
  }
  return fields;
}
