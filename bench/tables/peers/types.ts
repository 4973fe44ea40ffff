import type { Shot, Target } from '../shots';

export type PeerSetting = {
  /** Where peers are installed. */
  readonly folder: string;
  /** Folder of PostgreSQL's socket, and who may do everything there. */
  readonly socket: string;
  readonly user: string;
  readonly rows: number;
  readonly fields: number;
};

/** What all are asked: 50 records by an indexed filter and an indexed order, without and with their number; one; making one, and 1 000. */
export const raced = ['list', 'listTotal', 'get', 'create', 'bulk'] as const;
export type Raced = (typeof raced)[number];
/** null: it has no such call. */
export type RacedShots = Readonly<Record<Raced, ((n: number) => Shot) | null>>;

/** Another program with the same records on the same PostgreSQL. */
export type Peer = {
  readonly target: Target;
  readonly version: string;
  readonly pids: () => readonly number[];
  readonly shots: RacedShots;
  /** Records of an answer to `list`. */
  readonly rowsOf: (answer: unknown) => readonly Readonly<Record<string, unknown>>[];
  readonly stop: () => Promise<void>;
};
