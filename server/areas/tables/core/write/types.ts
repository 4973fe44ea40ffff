import type { ResourceKind } from '../../../../../contract/resources/terms';
import type { BatchOrigin } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import type { FieldError } from '../../../../http/failure';
import type { TableModel } from '../model';

export type Tx = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];

/** A database or transaction that runs statements. */
export type Db = Pick<Tx, 'execute' | 'select' | '_'>;

/**
 * One transaction of writes (created by `inWrite` of `call.ts`): all or nothing. Notifications go through `after`, which runs once the transaction is
 * committed. The transaction may be restarted when the database requires it, so it must have no other side effects.
 */
export type WriteTx = {
  readonly ctx: Context;
  readonly tx: Tx;
  readonly now: Date;
  readonly after: (work: () => void) => void;
};

/**
 * `table`: if not that of the context. `system`: a consequence of an allowed action (a schedule, a cascade), without permission checks. `locale`: language of
 * localized values, if not that of the options.
 */
type Where = { readonly table?: TableModel; readonly system?: boolean; readonly locale?: string };
/** One change of one record. Values are named by id, key or alias of a field. */
export type Change = Where &
  (
    | { readonly kind: 'create'; readonly values: Readonly<Record<string, unknown>>; /** uuid v7; generated if omitted. */ readonly id?: string }
    /** With `revision`: the one that the writer has read; other people's later changes to other fields are kept. */
    | { readonly kind: 'update'; readonly id: string; readonly values: Readonly<Record<string, unknown>>; readonly revision?: number }
    /** `restore` returns a record as a draft in tables with drafts. `publish` publishes the current state. */
    | { readonly kind: 'trash' | 'restore' | 'publish' | 'unpublish'; readonly id: string }
    /** Omitted values stay. */
    | { readonly kind: 'schedule'; readonly id: string; readonly publishAt?: Date | null; readonly unpublishAt?: Date | null }
    /** `ord`: a decimal number as text. */
    | { readonly kind: 'move'; readonly id: string; readonly ord: string }
  );

export type WriteOptions = {
  readonly origin: BatchOrigin;
  /** Language for localized fields. Default: the table's first. */
  readonly locale?: string | undefined;
  /** `throw` (default): the first set of errors refuses everything. `collect`: changes with errors are skipped and reported in the results. */
  readonly errors?: 'throw' | 'collect';
  /** Path of the errors of change `at` in the request body; default `records.<at>`. An empty text: field names at the top level. */
  readonly path?: (at: number) => string;
  /** The batch that this one undoes or redoes. */
  readonly of?: string;
  /** Applies the rules for publishing, in tables with drafts too. */
  readonly complete?: boolean;
  /** Like `complete`, limited to these fields (ids), if a table uses drafts. */
  readonly completeIn?: ReadonlySet<string>;
  /** Source of an anonymous write, shown in the history. */
  readonly source?: string;
  /**
   * Only reports what the changes (`create` and `update`) would do. Rules about whole records can only be checked by writing, so the caller must roll the
   * transaction back.
   */
  readonly check?: boolean;
  /** Resources that values may use although they do not exist yet, in a check before they are added. */
  readonly incoming?: ReadonlyMap<string, ResourceKind>;
  /** Adds to this batch instead of a new one (further chunks of a paste or import). */
  readonly batchId?: string;
};

/** By field name as the caller wrote it; `''` is the record itself. */
export type ChangeErrors = Readonly<Record<string, FieldError>>;
export type ChangeResult = {
  readonly id: string;
  readonly n: number;
  readonly revision: number;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly errors: ChangeErrors | null;
  /** A side effect of another change (`Change.system`). */
  readonly system: boolean;
};
export type BatchResult = {
  /** null: nothing changed. */
  readonly batchId: string | null;
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly unchanged: number;
  /** One per change, in order. */
  readonly results: readonly ChangeResult[];
};
