import type { Finding } from '../finding';
import { shortened } from '../pages/group';
import { finding, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';

/** Pages in comparison with the last complete run. */
async function* changes(audit: SiteAudit): AsyncIterable<Finding> {
  const [before] = audit.previous;
  if (before === undefined) return;
  const wasPage = `b.internal AND b.html AND b.status = 200 AND b.error IS NULL`;
  const both = await rowsOf<{
    id: string;
    title: string | null;
    old: string | null;
    indexable: boolean;
    was: boolean;
    reason: string;
    status: number;
    error: string | null;
  }>(
    audit,
    `SELECT p.url_id AS id, p.title, b.title AS old, p.indexable, b.indexable AS was, p.index_reason AS reason, p.status, p.error
     FROM crawl_pages p JOIN crawl_pages b ON b.run_id = $3::uuid AND b.url_id = p.url_id
     WHERE p.run_id = $1 AND $2 <> '' AND ${wasPage} AND (p.title IS DISTINCT FROM b.title OR p.indexable <> b.indexable OR p.status <> b.status OR p.error IS NOT NULL)`,
    [before],
  );
  for (const { id, title, old, indexable, was, reason, status, error } of both) {
    if (status === 404 || status === 410) yield finding(audit, 'change_gone', Number(id), { kind: 'status', status });
    else if (error === null && status < 500) {
      if (indexable !== was) yield finding(audit, 'change_indexing', Number(id), { kind: reason, status });
      if (status === 200 && title !== old) yield finding(audit, 'change_title', Number(id), { before: shortened(old ?? ''), after: shortened(title ?? '') });
    }
  }
  if (!audit.isComplete) return;
  const gone = await rowsOf<{ id: string }>(
    audit,
    `SELECT b.url_id AS id FROM crawl_pages b WHERE b.run_id = $3::uuid AND $2 <> '' AND ${wasPage} AND NOT EXISTS (SELECT 1 FROM crawl_frontier f WHERE f.run_id = $1 AND f.url_id = b.url_id)`,
    [before],
  );
  for (const { id } of gone) yield finding(audit, 'change_gone', Number(id), { kind: 'unlinked', status: 0 });
}

async function* traps(audit: SiteAudit): AsyncIterable<Finding> {
  const rows = await rowsOf<{ host: string; family: string; pages: number; waiting: number; reason: string }>(
    audit,
    `SELECT f.host, f.family, f.pages, f.waiting, f.reason FROM crawl_families f WHERE f.run_id = $1 AND $2 <> '' AND f.state = 'paused'`,
  );
  for (const { host, family, pages, waiting, reason } of rows)
    yield finding(audit, 'trap_family', null, { family: `${host}${family}`, pages, waiting, reason }, { subject: `${host}${family}` });
}

export const changeGroups: readonly SiteRuleGroup[] = [
  { of: ['change_title', 'change_indexing', 'change_gone'], run: changes },
  { of: ['trap_family'], run: traps },
];
