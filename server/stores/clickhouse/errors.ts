import { ClickHouseAway } from './types';

const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_SOCKET', 'ABORT_ERR_SERVER']);
/** Answers of a server that is up but cannot serve now: too many queries, too many parts, shutting down, table not there yet after a restart is not one of them. */
const awayTypes = new Set(['TOO_MANY_SIMULTANEOUS_QUERIES', 'NETWORK_ERROR', 'SOCKET_TIMEOUT', 'ALL_CONNECTION_TRIES_FAILED', 'KEEPER_EXCEPTION', 'TABLE_IS_READ_ONLY']);

/** Turns a failure to reach the server into `ClickHouseAway`; what the server says about a statement stays as it is. */
export function asClickHouseFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const type = 'type' in error && typeof error.type === 'string' ? error.type : '';
  const away = awayCodes.has(code) || awayTypes.has(type) || (type === '' && /socket hang up|timeout error|premature close|terminated/i.test(error.message));
  return away ? new ClickHouseAway(`ClickHouse cannot be reached: ${error.message}`, { cause: error }) : error;
}
