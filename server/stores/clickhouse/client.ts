import { Readable } from 'node:stream';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { asClickHouseFailure } from './errors';
import type { ClickHouse, QueryOptions } from './types';
import { ClickHouseAway, QueryAborted } from './types';

export type Address = { readonly url: string; readonly username?: string; readonly password?: string; readonly database?: string };

export function makeClient(address: Address): ClickHouseClient {
  return createClient({
    ...address,
    application: 'sitewright',
    // Failures are thrown; who catches them decides what to log.
    log: { level: ClickHouseLogLevel.OFF },
    request_timeout: 120_000,
    max_open_connections: 20,
    // Below the server's own (30 s embedded, 10 s by default elsewhere), so that a socket is never used as the server closes it.
    keep_alive: { enabled: true, idle_socket_ttl: 2500 },
    clickhouse_settings: {
      async_insert: 0,
      output_format_json_quote_64bit_integers: 1,
      date_time_input_format: 'best_effort',
      input_format_null_as_default: 1,
      input_format_skip_unknown_fields: 0,
    },
  });
}

/** A reader who leaves stops the query: the server only looks at the connection of queries it knows to be read-only. */
const stopWithReader: ClickHouseSettings = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 };

/**
 * For large inserts. Copies within one are left to merges and to readers, who remove copies anyway: sorting them out costs half as much again as the
 * insert. And one may hold any number of months: visits come by visitor, so each insert of an import reaches over all of its time.
 */
const bulk: ClickHouseSettings = { optimize_on_insert: 0, max_partitions_per_insert_block: '0' };

/** Runs work on the server. Throws `ClickHouseAway`, `QueryAborted` when the reader has left, or what `asClickHouseFailure` makes of an error. */
type OnServer = <T>(work: (client: ClickHouseClient) => Promise<T>, signal?: AbortSignal) => Promise<T>;

const runsOn =
  (current: () => ClickHouseClient | null): OnServer =>
  async (work, signal) => {
    const client = current();
    if (client === null) throw new ClickHouseAway('ClickHouse is being started');
    try {
      return await work(client);
    } catch (error) {
      // However the driver reports it: an abandoned answer is not an error.
      if (signal?.aborted) throw new QueryAborted('the reader has left', { cause: error });
      throw asClickHouseFailure(error);
    }
  };

const common = (options: QueryOptions | undefined) => ({
  ...(options?.params === undefined ? {} : { query_params: { ...options.params } }),
  ...(options?.signal === undefined ? {} : { abort_signal: options.signal }),
});
const reading = (options: QueryOptions | undefined) => ({ ...common(options), clickhouse_settings: { ...stopWithReader, ...options?.settings } });
const deduplicated = (token: string | undefined): ClickHouseSettings =>
  token === undefined ? {} : { insert_deduplicate: 1, insert_deduplication_token: token };

const readsOf = (onServer: OnServer): Pick<ClickHouse, 'query' | 'stream' | 'queryBytes'> => ({
  query: <T>(sql: string, options?: QueryOptions) =>
    onServer(async (client) => {
      const result = await client.query({ query: sql, format: 'JSONEachRow', ...reading(options) });
      return result.json<T>();
    }, options?.signal),
  stream: async function* <T>(sql: string, options?: QueryOptions): AsyncGenerator<T[]> {
    const result = await onServer((client) => client.query({ query: sql, format: 'JSONEachRow', ...reading(options) }), options?.signal);
    try {
      for await (const rows of result.stream<T>()) yield rows.map((row) => row.json());
    } catch (error) {
      throw asClickHouseFailure(error);
    } finally {
      result.close();
    }
  },
  queryBytes: (sql, options) =>
    onServer(async (client) => {
      const { stream } = await client.exec({ query: `${sql} FORMAT RowBinary`, ...reading(options) });
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return joined(chunks);
    }, options?.signal),
});

const writesOf = (onServer: OnServer): Pick<ClickHouse, 'command' | 'insert' | 'insertBytes'> => ({
  command: (sql, options) =>
    onServer(async (client) => {
      await client.command({ query: sql, ...common(options), clickhouse_settings: { wait_end_of_query: 1, ...options?.settings } });
    }, options?.signal),
  insert: (table, rows, options) =>
    onServer(async (client) => {
      if (rows.length === 0) return;
      const into = { table, clickhouse_settings: { wait_end_of_query: 1 as const, ...deduplicated(options?.token) } };
      const columns = options?.columns;
      if (columns === undefined) await client.insert({ ...into, values: rows, format: 'JSONEachRow' });
      else
        await client.insert({
          ...into,
          columns: [...columns] as [string, ...string[]],
          values: rows.map((row) => columns.map((column) => (row as Readonly<Record<string, unknown>>)[column] ?? null)),
          format: 'JSONCompactEachRow',
        });
    }),
  insertBytes: (table, columns, rows, options) =>
    onServer(async (client) => {
      if (rows.length === 0) return;
      const { stream } = await client.exec({
        query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`,
        values: Readable.from(piecesOf(rows), { objectMode: false }),
        clickhouse_settings: { wait_end_of_query: 1, ...bulk, ...deduplicated(options?.token) },
      });
      // The connection is free again only when the (empty) answer has been read.
      for await (const _ of stream);
    }),
});

/** The store over whatever client `current` gives: null while the server is away. */
export function makeClickHouse(current: () => ClickHouseClient | null, close: () => Promise<void>): ClickHouse {
  const onServer = runsOn(current);
  return {
    ...readsOf(onServer),
    ...writesOf(onServer),
    ping: async () => {
      const client = current();
      if (client === null) return false;
      // `select` checks the password too, which a stranger on our port would not pass.
      return (await client.ping({ select: true })).success;
    },
    close,
  };
}

const pieceSize = 256 * 1024;
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}

/** In memory of its own, which can be handed over to another thread (that of `Buffer.concat` may be shared). */
function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
