import type { Shot, Target } from '../shots';

export type PeerSetting = {
  /** Folder in which peers are installed. */
  readonly folder: string;
  /** Folder of PostgreSQL's socket, and the superuser to connect as. */
  readonly socket: string;
  readonly user: string;
  readonly rows: number;
  readonly fields: number;
};

/** Compared operations: list 50 records by an indexed filter and an indexed order, without and with their total; get one; create one; create 1 000. */
export const raced = ['list', 'listTotal', 'get', 'create', 'bulk'] as const;
export type Raced = (typeof raced)[number];
/** null: the program has no such call. */
export type RacedShots = Readonly<Record<Raced, ((n: number) => Shot) | null>>;

/** A program that the benchmark compares with ours, with the same records on the same PostgreSQL. */
export type Peer = {
  readonly target: Target;
  readonly version: string;
  readonly pids: () => readonly number[];
  readonly shots: RacedShots;
  /** Extracts the records of a `list` response. */
  readonly rowsOf: (answer: unknown) => readonly Readonly<Record<string, unknown>>[];
  readonly stop: () => Promise<void>;
};
