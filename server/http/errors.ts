import { types } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode, FailureBody } from '../../contract/errors';
import type { Log } from '../log';
import { ClickHouseAway, QueryAborted } from '../stores/clickhouse/types';
import { S3Failure } from '../stores/files/s3/bucket';
import { Failure, failureBody } from './failure';
import { localeOf, errorMessageFor } from './messages';

const codeOf = (error: unknown): string => (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '');

/** Error codes of Fastify itself. */
const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'not_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'not_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'unsupported_media_type',
};

/** Error codes of Node and PostgreSQL if the server is down, starting or stopping (SQLSTATE classes 08 and 57P). */
const awayCodes = /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOENT|EPIPE|EAGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|57P0[1235]|53300)$/;
/** Error messages of `pg` that have no code; a broken connection fails all later queries with “not queryable”. */
const awayMessages = /Connection terminated|not queryable|timeout exceeded when trying to connect|Cannot use a pool after calling end/;

/** Text that PostgreSQL cannot store: U+0000 in a text (22021) or in JSON (22P05). It comes from the client. */
const unstorable = /^22(?:021|P05)$/;
/** An unpaired surrogate in JSON has no code of its own: "invalid input syntax for type json" (22P02), with the reason in the detail. */
const isUnstorable = (cause: Error): boolean =>
  unstorable.test(codeOf(cause)) || (codeOf(cause) === '22P02' && 'detail' in cause && /surrogate/i.test(String(cause.detail)));

/** Errors of Node itself may come from another realm. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let cause = error; isError(cause) && found.length < 5; cause = cause.cause) found.push(cause);
  return found;
}

function isPostgresAway(error: unknown): boolean {
  for (const cause of causes(error)) {
    const fromConnection =
      awayCodes.test(codeOf(cause)) && ('syscall' in cause ? cause.syscall === 'connect' || cause.syscall === 'read' || cause.syscall === 'write' : true);
    if (fromConnection || awayMessages.test(cause.message)) return true;
  }
  return false;
}

/** Converts any error to a `Failure`; an unexpected one becomes `internal` with the error as its cause. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const known = frameworkCodes[codeOf(error)];
  if (known) return new Failure(known);
  // Invalid JSON is a SyntaxError with its own status.
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400) return new Failure('not_json');
  if (error instanceof ClickHouseAway) return new Failure('analytics_unavailable', { cause: error });
  if (causes(error).some(isUnstorable)) return new Failure('bad_request');
  // Before PostgreSQL: the causes are connections too.
  const bucketFailure = causes(error).find((cause) => cause instanceof S3Failure);
  if (bucketFailure) return bucketFailure.isAway ? new Failure('unavailable', { retryAfter: 5, cause: error }) : new Failure('internal', { cause: error });
  if (isPostgresAway(error)) return new Failure('unavailable', { retryAfter: 5, cause: error });
  return new Failure('internal', { cause: error });
}

/** What a failed request, or a failed part of one, answers; logs what nobody expected. Internal details of a 5xx are never sent. */
export function failureResponse(error: unknown, request: FastifyRequest, log: Log): { readonly failure: Failure; readonly body: FailureBody } {
  const failure = toFailure(error);
  // The query was aborted because the client disconnected: not a failure, and no one receives the response.
  if (error instanceof QueryAborted) log.debug('A reader left before the answer', { requestId: request.id, path: request.routeOptions.url ?? '' });
  else if (failure.status >= 500) {
    log.error('A request failed', {
      requestId: request.id,
      method: request.method,
      path: request.routeOptions.url ?? '',
      code: failure.code,
      error: failure.cause ?? failure,
    });
  }
  return { failure, body: failureBody(failure, failure.texts?.[localeOf(request)] ?? errorMessageFor(failure.code, localeOf(request)), request.id) };
}

/** The only place that turns an error into a response. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  const { failure, body } = failureResponse(error, request, log);
  if (failure.retryAfter !== undefined) void reply.header('retry-after', String(failure.retryAfter));
  return reply.code(failure.status).type('application/json; charset=utf-8').send(body);
}
