import type { z } from 'zod';
import { maintenanceLimits } from '../../../../contract/tables/maintenance';
import type { TableFacts } from '../../../../contract/tables/maintenance';
import type { Context } from '../../../context';
import { linksTable, publishedTable, recordsTable, tableIndex } from '../core/ids';
import type { SiteModel, TableModel } from '../core/model';
import { MaintenanceInput } from './input';
import * as queries from './queries';
import type { Stored } from './queries';
import type { CheckResult, CompactResult } from './schema';

type Facts = z.input<typeof TableFacts>;

/** Tables with at most this many rows and 8 KB pages are counted; for larger ones PostgreSQL's estimate is used. */
const countedRows = 20_000;
const countedPages = 4000;
const day = 24 * 3_600_000;

const bare = (name: string): string => name.slice(name.indexOf('.') + 1);
const nothing: Omit<Stored, 'name'> = { rows: 0, live: 0, dead: 0, data: 0, indexes: 0, pages: 0 };

/** Size, growth and health of all tables of a site: a few statements, whatever the number of tables, none of which scans a large one. */
export async function factsOf(ctx: Context, model: SiteModel, timeZone: string): Promise<Facts[]> {
  const { db } = ctx.postgres;
  const { siteId, tables } = model;
  if (tables.length === 0) return [];
  const stored = await queries.storedOf(db, siteId);
  const at = (name: string): Omit<Stored, 'name'> => stored.get(bare(name)) ?? nothing;
  const isSmall = ({ id }: TableModel): boolean => {
    const own = at(recordsTable(siteId, id));
    return Math.max(own.live, own.rows) <= countedRows && own.pages <= countedPages && own.data <= countedPages * 8192;
  };
  const history = stored.get('h');
  const [shares, counted, growth, maintenanceRuns, open] = await Promise.all([
    queries.historyShares(db, siteId, history),
    queries.countedOf(
      db,
      siteId,
      tables.map((table) => ({ id: table.id, small: isSmall(table) })),
    ),
    queries.growthOf(db, siteId, new Date(ctx.now() - (maintenanceLimits.growthDays - 1) * day), timeZone),
    queries.maintenanceOf(db, siteId),
    queries.openJobsOf(db, siteId, ['tables.check', 'tables.compact', 'tables.rebuild']),
  ]);
  return tables.map((table): Facts => {
    const own = at(recordsTable(siteId, table.id));
    const all = [
      own,
      at(publishedTable(siteId, table.id)),
      ...table.fields.flatMap(({ id, type }) => (type === 'relations' ? [at(linksTable(siteId, id))] : [])),
    ];
    const sum = (of: (one: Omit<Stored, 'name'>) => number): number => all.reduce((total, one) => total + of(one), 0);
    const exact = counted.get(table.id);
    const estimate = Math.round(Math.max(own.live, own.rows));
    // The partial index of live records has its own estimate, as old as that of the table.
    const liveShare = own.rows > 0 ? Math.min(1, at(tableIndex(table.id, 'ord')).rows / own.rows) : 1;
    const rows = exact?.rows ?? Math.round(estimate * liveShare);
    const dead = Math.round(sum((one) => one.dead));
    const last = (kind: 'check' | 'compact') => maintenanceRuns.find((one) => one.tableId === table.id && one.kind === kind);
    const [check, compact] = [last('check'), last('compact')];
    const [found, won] = [check?.result as CheckResult | undefined, compact?.result as CompactResult | undefined];
    const jobOf = (kind: 'tables.check' | 'tables.compact'): string | null =>
      open.find((job) => {
        const input = job.kind === kind ? MaintenanceInput.safeParse(job.input) : null;
        return input?.success === true && (input.data.tableId === null || input.data.tableId === table.id);
      })?.id ?? null;
    return {
      tableId: table.id,
      rows,
      binned: exact?.binned ?? Math.max(0, estimate - rows),
      exact: exact !== undefined && exact.rows !== null,
      dataBytes: sum((one) => one.data),
      indexBytes: sum((one) => one.indexes),
      historyBytes: Math.round(((history?.data ?? 0) + (history?.indexes ?? 0)) * (shares.get(table.id) ?? 0)),
      deadRows: dead,
      deadShare: dead / Math.max(1, dead + sum((one) => one.live)),
      lastWriteAt: exact?.last ?? null,
      growth: growth.filter((one) => one.tableId === table.id).map(({ day: on, created, removed }) => ({ day: on, created, removed })),
      check: check && found ? { at: check.at.toISOString(), records: found.records, findings: [...found.findings] } : null,
      compacted: compact && won ? { at: compact.at.toISOString(), ...won } : null,
      jobs: {
        check: jobOf('tables.check'),
        compact: jobOf('tables.compact'),
        search: table.pending?.search === undefined ? null : (open.find((job) => job.kind === 'tables.rebuild')?.id ?? null),
      },
    };
  });
}
