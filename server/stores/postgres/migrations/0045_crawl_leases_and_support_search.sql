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
-- Chinese, which has no spaces between words, and parts of words; neither needs an extension of PostgreSQL. The indexes are built after the start (searchIndexes.ts).
CREATE FUNCTION support_grams(site text, body text, shortest int) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 500 AS $$
DECLARE
  c text;
  before text := ' ';
  grams text[] := '{}';
BEGIN
  FOREACH c IN ARRAY string_to_array(regexp_replace(lower(body), '[[:space:]]', ' ', 'g'), NULL) LOOP
    IF c <> ' ' THEN
      IF shortest = 1 THEN grams := grams || (site || ':' || c); END IF;
      IF before <> ' ' THEN grams := grams || (site || ':' || before || c); END IF;
    END IF;
    before := c;
  END LOOP;
  RETURN grams;
END
$$;
