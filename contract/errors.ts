/**
 * Every failure that crosses the line has one of these codes. The server turns a code into the reader's words in
 * `server/http/messages.ts`; the console may react to a code but never to a text.
 * Number: the HTTP status that the code answers with.
 */
export const errorStatus = {
  bad_request: 400,
  not_json: 400,
  unauthorized: 401,
  bad_credentials: 401,
  /** The second step: the code is wrong, was used before, or the passkey was not accepted. */
  bad_code: 401,
  /** The time between password and second step has run out, or too many codes were tried: start again. */
  ticket_ended: 401,
  forbidden: 403,
  reauth_required: 403,
  /** The installation's policy asks for a second factor, and the time to set one up is over. */
  enrolment_required: 403,
  token_scope: 403,
  bad_origin: 403,
  bad_setup_token: 403,
  not_found: 404,
  method_not_allowed: 405,
  /** The body stopped coming, or came too slowly. */
  request_timeout: 408,
  /** A one-time link that is wrong, used, revoked or too old: one answer for all. */
  link_ended: 410,
  conflict: 409,
  /** Values stand more than once where each may stand once. */
  duplicate_values: 409,
  stale_revision: 409,
  name_taken: 409,
  slug_taken: 409,
  email_taken: 409,
  bad_transition: 409,
  /** A restricting relation refers to what is being deleted; `current` names the referring records that the reader may see. */
  referenced: 409,
  /** The last owner cannot be demoted, disabled or deleted. */
  last_owner: 409,
  /** What has left the draft cannot be edited. */
  immutable: 409,
  /** More than is left to pay, to refund or to invoice. */
  amount_exceeded: 409,
  /** A change of what others may be changing too says which revision it is of (RFC 6585, 3). */
  precondition_required: 428,
  currency_mixed: 422,
  mail_off: 409,
  already_set_up: 409,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  invalid_fields: 422,
  confirm_mismatch: 422,
  range_not_allowed: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  /** A question to a content table took longer than it may. */
  too_slow: 503,
  analytics_unavailable: 503,
  journal_full: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Why one field was refused; the console has words for each in both languages. */
export const fieldCodes = [
  'required',
  'too_short',
  'too_long',
  'wrong_type',
  'pattern',
  'out_of_range',
  /** More digits after the point than `max`. */
  'too_many_decimals',
  'unknown_field',
  'taken',
  'reserved',
  'not_an_email',
  'not_a_url',
  'not_a_time_zone',
  'digits_only',
  'weak_password',
  'contains_login',
  'wrong_password',
  'wrong_code',
  'forbidden_characters',
  'not_verified',
  'common_password',
  'confusable',
  'too_soon',
  'not_an_address_range',
  'not_a_tax_number',
  'not_an_image',
  'duplicate',
  'unknown',
  'negative',
  'readonly',
  'in_use',
] as const;
export type FieldCode = (typeof fieldCodes)[number];

/** The body of every failed answer. `fields` maps a dotted path to its code; `message`: words of the site's own for it, to be shown instead. */
export type FailureBody = {
  readonly error: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly fields?: Readonly<Record<string, { readonly code: FieldCode; readonly min?: number; readonly max?: number; readonly message?: string }>>;
  /** `stale_revision`: the current object, or what the endpoint's `conflict` describes, for comparison. `referenced`: the records that refer to it. */
  readonly current?: unknown;
};
