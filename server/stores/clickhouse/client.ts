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

/** The store over whatever client `current` gives: null while the server is away. */
export function makeClickHouse(current: () => ClickHouseClient | null, close: () => Promise<void>): ClickHouse {
  const onServer = async <T>(work: (client: ClickHouseClient) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const client = current();
    if (client === null) throw new ClickHouseAway('ClickHouse is being started');
    try {
      return await work(client);
    } catch (error) {
      // However the driver words it: an answer that nobody waits for any more is no fault.
      if (signal?.aborted) throw new QueryAborted('the reader has left', { cause: error });
      throw asClickHouseFailure(error);
    }
  };
  const common = (options: QueryOptions | undefined) => ({
    ...(options?.params === undefined ? {} : { query_params: { ...options.params } }),
    ...(options?.signal === undefined ? {} : { abort_signal: options.signal }),
  });
  return {
    query: <T>(sql: string, options?: QueryOptions) =>
      onServer(async (client) => {
        const result = await client.query({
          query: sql,
          format: 'JSONEachRow',
          ...common(options),
          clickhouse_settings: { ...stopWithReader, ...options?.settings },
        });
        return result.json<T>();
      }, options?.signal),
    stream: async function* <T>(sql: string, options?: QueryOptions): AsyncGenerator<T[]> {
      const result = await onServer(
        (client) => client.query({ query: sql, format: 'JSONEachRow', ...common(options), clickhouse_settings: { ...stopWithReader, ...options?.settings } }),
        options?.signal,
      );
      try {
        for await (const rows of result.stream<T>()) yield rows.map((row) => row.json());
      } catch (error) {
        throw asClickHouseFailure(error);
      } finally {
        result.close();
      }
    },
    command: (sql, options) =>
      onServer(async (client) => {
        await client.command({ query: sql, ...common(options), clickhouse_settings: { wait_end_of_query: 1, ...options?.settings } });
      }, options?.signal),
    insert: (table, rows, options) =>
      onServer(async (client) => {
        if (rows.length === 0) return;
        const deduplication = options?.token === undefined ? {} : { insert_deduplicate: 1 as const, insert_deduplication_token: options.token };
        const into = { table, clickhouse_settings: { wait_end_of_query: 1 as const, ...deduplication } };
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
    ping: async () => {
      const client = current();
      if (client === null) return false;
      // `select` checks the password too, which a stranger on our port would not pass.
      return (await client.ping({ select: true })).success;
    },
    close,
  };
}
