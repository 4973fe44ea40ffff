import type { BatchDoor } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import type { FieldFault } from '../../../../http/failure';
import type { TableModel } from '../model';

export type Tx = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];

/** Anything that answers statements. */
export type Db = Pick<Tx, 'execute' | 'select' | '_'>;

/**
 * One transaction of writes (`inWrite` of `call.ts` makes it): everything in it is kept or nothing. What the world is told, it is told by `after`,
 * once the transaction has been committed; it may run again from the start when the database asks for that, so nothing outside may be changed in it.
 */
export type WriteTx = {
  readonly ctx: Context;
  readonly tx: Tx;
  readonly now: Date;
  readonly after: (work: () => void) => void;
};

/** `table`: where not that of the context. `system`: a consequence of something allowed (a schedule, a cascade), so that rights are not asked. */
type Where = { readonly table?: TableModel; readonly system?: boolean };
/** One change of one record. Names of values: id, key or alias of a field. */
export type Change = Where &
  (
    | { readonly kind: 'create'; readonly values: Readonly<Record<string, unknown>>; /** uuid v7; made when left out. */ readonly id?: string }
    /** With `revision`: as the writer has read it; what others changed since in other fields stays. */
    | { readonly kind: 'update'; readonly id: string; readonly values: Readonly<Record<string, unknown>>; readonly revision?: number }
    /** `restore` gives a draft back, in tables with drafts. `publish` writes what the record is now. */
    | { readonly kind: 'trash' | 'restore' | 'publish' | 'unpublish'; readonly id: string }
    /** What is left out stays. */
    | { readonly kind: 'schedule'; readonly id: string; readonly publishAt?: Date | null; readonly unpublishAt?: Date | null }
    /** `ord`: a decimal number as text. */
    | { readonly kind: 'move'; readonly id: string; readonly ord: string }
  );

export type WriteOptions = {
  readonly door: BatchDoor;
  /** Localized fields are written in this language. Default: the table's first. */
  readonly locale?: string | undefined;
  /** `throw` (default): the first round of faults refuses everything. `collect`: changes with faults are left out, and said in the results. */
  readonly faults?: 'throw' | 'collect';
  /** Where faults of change `at` stand in the caller's body; default `records.<at>`. An empty text: beside the fields themselves. */
  readonly path?: (at: number) => string;
  /** Batch that this one takes back or repeats. */
  readonly of?: string;
  /** Judged as what is published is, in tables with drafts too. */
  readonly complete?: boolean;
  /** The same, of these fields alone (ids), where a table has drafts. */
  readonly completeIn?: ReadonlySet<string>;
  /** What somebody who is not known comes through; the history names it. */
  readonly source?: string;
  /**
   * Only says what would become of the changes (of `create` and `update`), as far as that can be said without doing it; what a rule about whole records
   * asks is found out by doing it, so the transaction must be taken back by the caller.
   */
  readonly check?: boolean;
  /** Adds to this batch instead of a new one (further pieces of one paste or import). */
  readonly batchId?: string;
};

/** By the name of the field as the caller wrote it; `''` speaks of the record. */
export type ChangeFaults = Readonly<Record<string, FieldFault>>;
export type ChangeResult = {
  readonly id: string;
  readonly n: number;
  readonly revision: number;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly faults: ChangeFaults | null;
  /** What the change of somebody brought about besides (`Change.system`). */
  readonly system: boolean;
};
export type BatchResult = {
  /** null: nothing was changed. */
  readonly batchId: string | null;
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  readonly unchanged: number;
  /** One for each change, in its order. */
  readonly results: readonly ChangeResult[];
};
