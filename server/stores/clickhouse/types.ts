export type QueryOptions = {
  readonly params?: Readonly<Record<string, unknown>>;
  /** ClickHouse settings for this query alone. */
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly signal?: AbortSignal;
};

/** An open ClickHouse, embedded (chDB as a child) or remote. UInt64 arrive as strings: convert ids with `hex()` in SQL. */
export type ClickHouse = {
  /** Rows of a SELECT (JSONEachRow). Throws `ClickHouseAway` when the server cannot be reached, `QueryAborted` when the reader has left. */
  readonly query: <T>(sql: string, options?: QueryOptions) => Promise<T[]>;
  /** The same row by row, as fast as the reader takes them, so that an answer of any size needs no more memory than one block. */
  readonly stream: <T>(sql: string, options?: QueryOptions) => AsyncIterable<readonly T[]>;
  /** DDL and the like. */
  readonly command: (sql: string, options?: QueryOptions) => Promise<void>;
  /**
   * Inserts rows, fsynced. `token`: a second insert with the same token is dropped by the server. `columns`: their names and order, known beforehand:
   * rows then go without the names (half the bytes), and what a row lacks becomes the column's default.
   */
  readonly insert: (table: string, rows: readonly object[], options?: { readonly token?: string; readonly columns?: readonly string[] }) => Promise<void>;
  /** Inserts rows that are written as RowBinary already (rowBinary.ts), fsynced, for bulk work. `columns`: their order in each row. */
  readonly insertBytes: (table: string, columns: readonly string[], rows: Uint8Array, options?: { readonly token?: string }) => Promise<void>;
  /** The answer of a SELECT as RowBinary, whole. */
  readonly queryBytes: (sql: string, options?: QueryOptions) => Promise<Uint8Array<ArrayBuffer>>;
  readonly ping: () => Promise<boolean>;
  readonly close: () => Promise<void>;
};

/** Thrown by a query whose `signal` has aborted: nobody waits for the answer any more, and the server was told to stop. */
export class QueryAborted extends Error {
  override readonly name = 'QueryAborted';
}

export class ClickHouseAway extends Error {
  override readonly name = 'ClickHouseAway';
}
