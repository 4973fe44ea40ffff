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
CREATE INDEX "crawl_leases_run_index" ON "crawl_leases" USING btree ("run_id");