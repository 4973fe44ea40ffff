import type { RenderStop, Severity } from '../../../contract/crawler/terms';

/** Numbers of a run, written with each batch. */
export type RunCounters = {
  readonly discovered: number;
  readonly queued: number;
  readonly pages: number;
  readonly skipped: number;
  readonly errors: number;
  readonly bytes: number;
  /** Pages by the first digit of their status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Hosts with the most requests, at most 20. `limit`: connections that the governor allows now; `delayMs`: between two requests; `closed`: robots.txt cannot be read. */
  readonly hosts: readonly {
    readonly host: string;
    readonly limit: number;
    readonly active: number;
    readonly delayMs: number;
    readonly averageMs: number;
    readonly closed: boolean;
  }[];
  /** Over the last ten seconds. */
  readonly pagesPerSecond: number;
  /** Pages that are written by scripts. */
  readonly needScripts: number;
  /** Pages whose scripts were run, and those where that failed; why no more of them are. */
  readonly rendered: number;
  readonly renderFailures: number;
  readonly renderStop: RenderStop | null;
  readonly issues: Readonly<Record<Severity, number>>;
  /** Requests per second that the run is held to while people use the console; null: it is not. */
  readonly pace: number | null;
  /** Workers that read the run now, and pages that others than the leading one read. */
  readonly workers: number;
  readonly helped: number;
};
export const emptyCounters: RunCounters = {
  discovered: 0,
  queued: 0,
  pages: 0,
  skipped: 0,
  errors: 0,
  bytes: 0,
  statuses: {},
  issues: { error: 0, warning: 0, notice: 0 },
  hosts: [],
  pagesPerSecond: 0,
  needScripts: 0,
  pace: null,
  workers: 1,
  helped: 0,
  rendered: 0,
  renderFailures: 0,
  renderStop: null,
};

export type SeverityCounts = Readonly<Record<Severity, number>>;
export const noIssues: SeverityCounts = { error: 0, warning: 0, notice: 0 };

/** Issues that a run was the first to find, the errors among them, and issues that it no longer found. */
export type IssueChanges = { readonly found: number; readonly errors: number; readonly fixed: number };
export const noChanges: IssueChanges = { found: 0, errors: 0, fixed: 0 };
