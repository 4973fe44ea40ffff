import type { FailureBody, FieldCode } from '@contract/errors';

/** Why a field was refused, by the server or by the contract's schema before sending: one shape for both. */
export type FieldError = NonNullable<FailureBody['fields']>[string];

/** The parts of a zod issue (zod 4 `$ZodRawIssue`) that messages depend on. */
export type SchemaIssue = {
  readonly code?: string | undefined;
  readonly format?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly input?: unknown;
};

const isBlank = (value: unknown): boolean => value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
const limit = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The field code for an issue of the contract's schema. The server uses the same codes. */
export function fieldErrorOf(issue: SchemaIssue): FieldError {
  if (isBlank(issue.input)) return { code: 'required' };
  const min = limit(issue.minimum);
  const max = limit(issue.maximum);
  const text = issue.origin === 'string';
  switch (issue.code) {
    case 'too_small':
      return { code: text ? 'too_short' : 'out_of_range', ...(min !== undefined && { min }) };
    case 'too_big':
      return { code: text ? 'too_long' : 'out_of_range', ...(max !== undefined && { max }) };
    case 'invalid_format':
      return { code: issue.format === 'email' ? 'not_an_email' : issue.format === 'url' ? 'not_a_url' : 'pattern' };
    case 'unrecognized_keys':
      return { code: 'unknown_field' };
    case 'invalid_type':
    case 'invalid_value':
      return { code: 'wrong_type' };
    default:
      return { code: 'pattern' };
  }
}

/** A form stores one string per error, and messages change with the language: so it stores the encoded field error. */
export const encodeFieldError = (error: FieldError): string =>
  `${error.code}|${error.min ?? ''}|${error.max ?? ''}${error.message === undefined ? '' : `|${error.message}`}`;

export function decodeFieldError(message: string): FieldError {
  const [code, min, max, ...messageParts] = message.split('|');
  return {
    code: code as FieldCode,
    ...(min && { min: Number(min) }),
    ...(max && { max: Number(max) }),
    ...(messageParts.length > 0 && { message: messageParts.join('|') }),
  };
}
