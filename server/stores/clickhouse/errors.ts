import { ClickHouseAway } from './types';

const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Error types of a server, proxy or cluster that is reachable but currently cannot serve. */
const awayTypes = new Set([
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'NETWORK_ERROR',
  'SOCKET_TIMEOUT',
  'ALL_CONNECTION_TRIES_FAILED',
  'KEEPER_EXCEPTION',
  'TABLE_IS_READ_ONLY',
]);
const awayWords = /socket hang up|timeout error|premature close|terminated/i;

/** Converts a failure to reach the server to `ClickHouseAway`; errors about a statement are returned unchanged. */
export function asClickHouseFailure(error: unknown): unknown {
  const { code, type, message } = parts(error);
  // The server's own errors have a type and a numeric code; a broken connection has the system's error name.
  const away = awayCodes.has(code) || awayTypes.has(type) || (type === '' && awayWords.test(message));
  return away ? new ClickHouseAway(`ClickHouse cannot be reached: ${message || code}`, { cause: error }) : error;
}

/** Error types about invalid values; all others concern the server itself and are temporary. */
const dataTypes =
  /^(?:CANNOT_(?:PARSE|CONVERT|READ_ALL_DATA|INSERT_NULL)|INCORRECT_DATA|TYPE_MISMATCH|UNKNOWN_ELEMENT_OF_ENUM|VALUE_IS_OUT_OF_RANGE|ARGUMENT_OUT_OF_BOUND|DECIMAL_OVERFLOW|TOO_LARGE_STRING_SIZE|TOO_LARGE_ARRAY_SIZE|UNEXPECTED_DATA_AFTER_PARSED_VALUE|VIOLATED_CONSTRAINT)/;

/** Whether the rows themselves are invalid (SyntaxError: they could not be serialized), so that they will never be accepted. */
export function isAboutData(error: unknown): boolean {
  return error instanceof SyntaxError || dataTypes.test(parts(error).type);
}

export function isTableAlreadyThere(error: unknown): boolean {
  return parts(error).type === 'TABLE_ALREADY_EXISTS';
}

function parts(error: unknown): { code: string; type: string; message: string } {
  const { code, type, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return { code: text(code), type: text(type), message: text(message) };
}
