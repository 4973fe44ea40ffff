CREATE TABLE "crawl_leases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"state" text NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"recalled" boolean DEFAULT false NOT NULL,
	"batch" jsonb,
	"result" jsonb
);
--> statement-breakpoint
ALTER TABLE "crawl_leases" ADD CONSTRAINT "crawl_leases_run_id_crawl_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."crawl_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "crawl_leases_run_index" ON "crawl_leases" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "support_conversations_assigned_index" ON "support_conversations" USING btree ("site_id","assignee_id") WHERE "support_conversations"."assignee_id" is not null and "support_conversations"."state" in ('open', 'waiting', 'snoozed');--> statement-breakpoint
-- Written by hand. Characters of a text and pairs of them (`shortest` 2: only pairs), each behind the site, so that a search reads nothing of other sites. Pairs serve
-- Chinese, which has no spaces between words, and parts of words; neither needs an extension of PostgreSQL.
CREATE FUNCTION support_grams(site text, body text, shortest int) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 500 AS $$
  SELECT coalesce(array_agg(site || ':' || gram), '{}')
  FROM (SELECT c, c || lead(c) OVER (ORDER BY n) AS pair FROM unnest(string_to_array(lower(body), NULL)) WITH ORDINALITY AS characters (c, n)) pairs
  CROSS JOIN LATERAL (VALUES (CASE WHEN shortest = 1 THEN c END), (pair)) AS grams (gram)
  WHERE gram !~ '[[:space:]]'
$$;--> statement-breakpoint
CREATE INDEX "support_messages_search_index" ON "support_messages" USING gin (support_grams("site_id", "body", 1)) WHERE "body" <> '';--> statement-breakpoint
CREATE INDEX "support_conversations_search_index" ON "support_conversations" USING gin (support_grams("site_id", "subject", 1)) WHERE "subject" <> '';--> statement-breakpoint
CREATE INDEX "support_visitors_search_index" ON "support_visitors" USING gin (support_grams("site_id", "name" || E'\n' || "email" || E'\n' || "phone" || E'\n' || "company" || E'\n' || "wechat", 1))
  WHERE "name" || E'\n' || "email" || E'\n' || "phone" || E'\n' || "company" || E'\n' || "wechat" <> E'\n\n\n\n';
