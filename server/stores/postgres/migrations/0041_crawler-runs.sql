ALTER TABLE "crawl_runs" ADD COLUMN "announced_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "crawl_runs" ADD COLUMN "purged" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "crawlers" ADD COLUMN "alerts" jsonb DEFAULT '{"completed":false,"newErrors":true}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "crawl_pages_recent_index" ON "crawl_pages" USING btree ("run_id","fetched_at");--> statement-breakpoint
CREATE INDEX "crawl_runs_ended_index" ON "crawl_runs" USING btree ("finished_at") WHERE "crawl_runs"."announced_at" is null;