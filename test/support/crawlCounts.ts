import type { TestApp } from './app';

/** Stored counts of issues that differ from the issues; empty: all are right. */
export const wrongCounts = async ({ ctx }: TestApp): Promise<object[]> =>
  (
    await ctx.postgres.pool.query<object>(`
      WITH truth AS (
        SELECT r.crawler_id, r.number,
          (SELECT count(*) FROM crawl_issues i WHERE i.crawler_id = r.crawler_id AND i.first_run = r.number) AS found,
          (SELECT count(*) FROM crawl_issues i WHERE i.crawler_id = r.crawler_id AND i.first_run = r.number AND i.severity = 'error') AS errors,
          (SELECT count(*) FROM crawl_issues i WHERE i.crawler_id = r.crawler_id AND i.fixed_run = r.number) AS fixed,
          (SELECT count(*) FROM crawl_issues i WHERE i.crawler_id = r.crawler_id AND i.state IN ('open', 'regressed')) AS open
        FROM crawl_runs r)
      SELECT truth.*, r.issue_changes, c.open_issues FROM truth JOIN crawl_runs r USING (crawler_id, number) JOIN crawlers c ON c.id = r.crawler_id
      WHERE r.issue_changes <> jsonb_build_object('found', found, 'errors', errors, 'fixed', fixed)
        OR open <> (c.open_issues->>'error')::int + (c.open_issues->>'warning')::int + (c.open_issues->>'notice')::int`)
  ).rows;
