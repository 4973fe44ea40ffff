/**
 * Error codes of all failed responses, with their HTTP status. The server turns a code into a message in the reader's language in `server/http/messages.ts`;
 * the console may react to a code but never to a text.
 */
export const errorStatus = {
  bad_request: 400,
  not_json: 400,
  unauthorized: 401,
  bad_credentials: 401,
  /** Second step of signing in: the code is wrong or already used, or the passkey was refused. */
  bad_code: 401,
  /** The time between password and second step has expired, or too many codes were tried: the sign-in must start again. */
  ticket_ended: 401,
  forbidden: 403,
  reauth_required: 403,
  /** The installation's policy requires a second factor, and the time to set one up has expired. */
  enrolment_required: 403,
  token_scope: 403,
  bad_origin: 403,
  bad_setup_token: 403,
  /** The site is suspended: only managers of the installation can change it. */
  site_suspended: 403,
  not_found: 404,
  method_not_allowed: 405,
  /** The request body stopped arriving, or arrived too slowly. */
  request_timeout: 408,
  /** A one-time link that is wrong, used, revoked or expired; the response does not distinguish these. */
  link_ended: 410,
  conflict: 409,
  conversion_failed: 422,
  /** Values occur more than once in a unique field. */
  duplicate_values: 409,
  stale_revision: 409,
  name_taken: 409,
  slug_taken: 409,
  /** The hostname belongs to another site. */
  host_taken: 409,
  /** The site has as many hostnames as it may have. */
  hosts_full: 422,
  /** The pages of the site are hosted elsewhere. */
  not_delivered: 409,
  /** Certificates are not served by this program. */
  tls_elsewhere: 409,
  email_taken: 409,
  bad_transition: 409,
  /** What is to be restored has a unique value or place, such as its name, that something else has now. */
  place_taken: 409,
  /** What is to be restored belongs to something that was deleted. */
  parent_gone: 409,
  /** A restricting relation refers to what is being deleted; `current` names the referring records that the reader may see. */
  referenced: 409,
  /** The last owner cannot be demoted, disabled or deleted. */
  last_owner: 409,
  /** Only drafts can be edited. */
  immutable: 409,
  /** The amount exceeds what remains to be paid, refunded or invoiced. */
  amount_exceeded: 409,
  /** A change of an object that others may change too must send the object's revision (RFC 6585, 3). */
  precondition_required: 428,
  currency_mixed: 422,
  mail_off: 409,
  already_set_up: 409,
  /** A service for machine translation refused the request: its key, its limit or a language. */
  engine_refused: 422,
  /** A file that is downloaded: no answer, or another status than 200. */
  source_unreachable: 422,
  source_refused: 422,
  /** A redirect of it leads into a private network. */
  source_private: 422,
  /** It is larger than what is downloaded. */
  source_too_large: 422,
  /** It is no database of countries, or does not know where well-known addresses are. */
  database_unreadable: 422,
  /** It is older than the database in use. */
  database_older: 422,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  invalid_fields: 422,
  confirm_mismatch: 422,
  range_not_allowed: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  /** A query to a content table exceeded its time limit. */
  too_slow: 503,
  /** A service for machine translation did not answer. */
  engine_unreachable: 503,
  analytics_unavailable: 503,
  journal_full: 503,
  /** The disk has too little free space for a file that is about to be written. */
  disk_full: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Why one field was refused; the console has a message for each in both languages. */
export const fieldCodes = [
  'required',
  'too_short',
  'too_long',
  'wrong_type',
  'pattern',
  'out_of_range',
  /** More decimal places than `max`. */
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
  /** It leads back to where it began. */
  'loop',
  'not_a_host',
  'ip_address',
  'has_port',
  'public_suffix',
  'own_host',
  'wildcard',
  /** HTTPS cannot be forced before there is a certificate. */
  'needs_certificate',
  /** The program does not trust the proxy that says so. */
  'scheme_lost',
  'needs_https',
  'needs_subdomains',
  'not_pem',
  'key_mismatch',
  'chain_order',
  'certificate_expired',
  'other_name',
  /** Numbers of filings. */
  'icp_format',
  'icp_needs_site_suffix',
  'mps_format',
  'mps_digits',
  'not_a_credit_code',
  'not_an_identity_number',
] as const;
export type FieldCode = (typeof fieldCodes)[number];

/** Body of every failed response. `fields` maps a dotted path to its code; `message` is the site's own text, shown instead of the default one. */
export type FailureBody = {
  readonly error: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly fields?: Readonly<Record<string, { readonly code: FieldCode; readonly min?: number; readonly max?: number; readonly message?: string }>>;
  /** `stale_revision`: the current object, or what the endpoint's `conflict` describes, for comparison. `referenced`: the records that refer to the object. */
  readonly current?: unknown;
};
