ALTER TABLE "crawl_runs" ADD COLUMN "issue_changes" jsonb DEFAULT '{"found":0,"errors":0,"fixed":0}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "crawlers" ADD COLUMN "open_issues" jsonb DEFAULT '{"error":0,"warning":0,"notice":0}'::jsonb NOT NULL;--> statement-breakpoint
UPDATE crawlers c SET open_issues = i.counted FROM (
  SELECT crawler_id, jsonb_build_object('error', count(*) FILTER (WHERE severity = 'error'), 'warning', count(*) FILTER (WHERE severity = 'warning'),
    'notice', count(*) FILTER (WHERE severity = 'notice')) AS counted
  FROM crawl_issues WHERE state IN ('open', 'regressed') GROUP BY 1) i
WHERE i.crawler_id = c.id;--> statement-breakpoint
WITH found AS (
  SELECT crawler_id, first_run AS number, count(*) AS n, count(*) FILTER (WHERE severity = 'error') AS errors FROM crawl_issues GROUP BY 1, 2
), fixed AS (
  SELECT crawler_id, fixed_run AS number, count(*) AS n FROM crawl_issues WHERE fixed_run IS NOT NULL GROUP BY 1, 2
)
UPDATE crawl_runs r SET issue_changes = c.counted FROM (
  SELECT crawler_id, number, jsonb_build_object('found', coalesce(found.n, 0), 'errors', coalesce(found.errors, 0), 'fixed', coalesce(fixed.n, 0)) AS counted
  FROM found FULL JOIN fixed USING (crawler_id, number)) c
WHERE r.crawler_id = c.crawler_id AND r.number = c.number;
