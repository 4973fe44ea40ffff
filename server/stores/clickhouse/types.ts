export type QueryOptions = {
  readonly params?: Readonly<Record<string, unknown>>;
  /** ClickHouse settings for this query only. */
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly signal?: AbortSignal;
};

/** An open ClickHouse, embedded (chDB as a child process) or remote. UInt64 values are returned as strings: convert ids with `hex()` in SQL. */
export type ClickHouse = {
  /** Rows of a SELECT (JSONEachRow). Throws `ClickHouseAway` if the server cannot be reached, `QueryAborted` if the client has disconnected. */
  readonly query: <T>(sql: string, options?: QueryOptions) => Promise<T[]>;
  /** Like `query`, but streamed with backpressure, so that a result of any size needs no more memory than one block. */
  readonly stream: <T>(sql: string, options?: QueryOptions) => AsyncIterable<readonly T[]>;
  /** DDL and similar statements. */
  readonly command: (sql: string, options?: QueryOptions) => Promise<void>;
  /**
   * Inserts rows, fsynced. `token`: the server drops a second insert with the same token. `columns`: names and order known in advance: rows are then sent
   * without the names (half the bytes), and missing values become the column's default.
   */
  readonly insert: (table: string, rows: readonly object[], options?: { readonly token?: string; readonly columns?: readonly string[] }) => Promise<void>;
  /** Inserts rows already serialized as RowBinary (rowBinary.ts), fsynced, for bulk work. `columns`: their order in each row. */
  readonly insertBytes: (table: string, columns: readonly string[], rows: Uint8Array, options?: { readonly token?: string }) => Promise<void>;
  /** The complete result of a SELECT as RowBinary. */
  readonly queryBytes: (sql: string, options?: QueryOptions) => Promise<Uint8Array<ArrayBuffer>>;
  readonly ping: () => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** Thrown by a query whose `signal` was aborted: its result is no longer needed, and the server was told to stop. */
export class QueryAborted extends Error {
  override readonly name = 'QueryAborted';
}

export class ClickHouseAway extends Error {
  override readonly name = 'ClickHouseAway';
}
