import { importLimits } from '../../../contract/imports/schemas';
import type { ImportReason, ImportReport } from '../../../contract/imports/schemas';

type Refused = { count: number; samples: { file: string; line: number; text: string }[] };

/** Progress and intermediate result of an import: everything the next run needs. Stored after every batch. */
export type Progress = {
  /** The file being read, the position in it (uncompressed bytes) and the number of lines before it. */
  file: number;
  offset: number;
  line: number;
  /** The position from which lines must be read again to number equal lines (see naming.ts). */
  replay: { offset: number; line: number };
  /** Bytes read of the files as stored on disk, for the progress bar. */
  read: number;
  phase: 'reading' | 'building' | 'done';
  lines: number;
  accepted: number;
  bots: number;
  repeated: number;
  refused: Partial<Record<ImportReason, Refused>>;
  firstAt: number | null;
  lastAt: number | null;
  /** When this run began (epoch ms) and the number of lines at that time. */
  runAt: number;
  runLines: number;
};

export const newProgress = (now: number): Progress => ({
  file: 0,
  offset: 0,
  line: 0,
  replay: { offset: 0, line: 0 },
  read: 0,
  phase: 'reading',
  lines: 0,
  accepted: 0,
  bots: 0,
  repeated: 0,
  refused: {},
  firstAt: null,
  lastAt: null,
  runAt: now,
  runLines: 0,
});

/** Counts one rejected line; `sample` is called only for the first few of a reason. */
export function refuse(progress: Progress, reason: ImportReason, sample: () => { file: string; line: number; text: string }): void {
  const entry = (progress.refused[reason] ??= { count: 0, samples: [] });
  entry.count += 1;
  if (entry.samples.length < importLimits.samples) entry.samples.push(sample());
}

/** Widens the period of the accepted lines so that it includes a time (epoch ms). */
export function includeTime(progress: Progress, at: number): void {
  if (progress.firstAt === null || at < progress.firstAt) progress.firstAt = at;
  if (progress.lastAt === null || at > progress.lastAt) progress.lastAt = at;
}

/** Most frequent reason first. */
export const reportOf = (progress: Progress): ImportReport => ({
  lines: progress.lines,
  accepted: progress.accepted,
  bots: progress.bots,
  repeated: progress.repeated,
  refused: (Object.entries(progress.refused) as [ImportReason, Refused][])
    .map(([reason, { count, samples }]) => ({ reason, count, samples }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
  firstAt: progress.firstAt,
  lastAt: progress.lastAt,
});
