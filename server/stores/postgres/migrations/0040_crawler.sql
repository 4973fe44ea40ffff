CREATE TABLE "crawl_families" (
	"run_id" uuid NOT NULL,
	"host" text NOT NULL,
	"family" text NOT NULL,
	"pages" integer NOT NULL,
	"waiting" integer NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	CONSTRAINT "crawl_families_run_id_host_family_pk" PRIMARY KEY("run_id","host","family")
);
--> statement-breakpoint
CREATE TABLE "crawl_findings" (
	"run_id" uuid NOT NULL,
	"issue_id" bigint NOT NULL,
	"severity" text NOT NULL,
	"detail" jsonb NOT NULL,
	CONSTRAINT "crawl_findings_run_id_issue_id_pk" PRIMARY KEY("run_id","issue_id")
);
--> statement-breakpoint
CREATE TABLE "crawl_frontier" (
	"run_id" uuid NOT NULL,
	"url_id" bigint NOT NULL,
	"depth" smallint NOT NULL,
	"priority" real NOT NULL,
	"from_url_id" bigint,
	"hops" smallint DEFAULT 0 NOT NULL,
	"source" text NOT NULL,
	"state" smallint NOT NULL,
	"skip_reason" text,
	"attempts" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "crawl_frontier_run_id_url_id_pk" PRIMARY KEY("run_id","url_id")
);
--> statement-breakpoint
CREATE TABLE "crawl_issues" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"crawler_id" uuid NOT NULL,
	"site_id" text NOT NULL,
	"rule" text NOT NULL,
	"url_id" bigint,
	"fingerprint" "bytea" NOT NULL,
	"state" text NOT NULL,
	"severity" text NOT NULL,
	"detail" jsonb NOT NULL,
	"first_run" integer NOT NULL,
	"last_run" integer NOT NULL,
	"fixed_run" integer,
	"previous_state" text,
	"ignored_by" uuid,
	"ignored_reason" text,
	"ignored_until" timestamp (3) with time zone,
	"impact" real NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crawl_pages" (
	"run_id" uuid NOT NULL,
	"url_id" bigint NOT NULL,
	"internal" boolean NOT NULL,
	"html" boolean NOT NULL,
	"status" smallint NOT NULL,
	"error" text,
	"redirect_to" bigint,
	"mime" text NOT NULL,
	"wire_bytes" integer NOT NULL,
	"bytes" integer NOT NULL,
	"connect_ms" integer NOT NULL,
	"first_byte_ms" integer NOT NULL,
	"total_ms" integer NOT NULL,
	"etag" text,
	"last_modified" text,
	"reused" boolean NOT NULL,
	"sha" "bytea",
	"text_hash" "bytea",
	"simhash" bigint,
	"template" text,
	"indexable" boolean NOT NULL,
	"index_reason" text NOT NULL,
	"title" text,
	"description" text,
	"h1" text,
	"language" text,
	"canonical_id" bigint,
	"units" integer NOT NULL,
	"depth" smallint NOT NULL,
	"links_in" integer DEFAULT 0 NOT NULL,
	"links_internal" integer NOT NULL,
	"links_external" integer NOT NULL,
	"page_rank" real,
	"in_sitemap" boolean DEFAULT false NOT NULL,
	"facts" jsonb NOT NULL,
	"fetched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "crawl_pages_run_id_url_id_pk" PRIMARY KEY("run_id","url_id")
);
--> statement-breakpoint
CREATE TABLE "crawl_robots" (
	"run_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"status" smallint NOT NULL,
	"body" text NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"fetched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "crawl_robots_run_id_origin_pk" PRIMARY KEY("run_id","origin")
);
--> statement-breakpoint
CREATE TABLE "crawl_rows" (
	"run_id" uuid NOT NULL,
	"extraction" text NOT NULL,
	"url_id" bigint NOT NULL,
	"row" integer NOT NULL,
	"values" jsonb NOT NULL,
	CONSTRAINT "crawl_rows_run_id_extraction_url_id_row_pk" PRIMARY KEY("run_id","extraction","url_id","row")
);
--> statement-breakpoint
CREATE TABLE "crawl_runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"crawler_id" uuid NOT NULL,
	"site_id" text NOT NULL,
	"number" integer NOT NULL,
	"trigger" text NOT NULL,
	"state" text NOT NULL,
	"base_run_id" uuid,
	"config" jsonb NOT NULL,
	"verified" boolean NOT NULL,
	"job_id" uuid,
	"counters" jsonb NOT NULL,
	"observations" jsonb,
	"score" real,
	"reason" text,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"active_ms" bigint DEFAULT 0 NOT NULL,
	"announced_at" timestamp (3) with time zone,
	"purged" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crawl_urls" (
	"id" bigint NOT NULL,
	"site_id" text NOT NULL,
	"url" text NOT NULL,
	"host" text NOT NULL,
	"family" text NOT NULL,
	CONSTRAINT "crawl_urls_site_id_id_pk" PRIMARY KEY("site_id","id")
);
--> statement-breakpoint
CREATE TABLE "crawlers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"config" jsonb NOT NULL,
	"secrets" "bytea",
	"schedule" text,
	"time_zone" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"next_at" timestamp (3) with time zone,
	"retained_runs" smallint DEFAULT 5 NOT NULL,
	"alerts" jsonb DEFAULT '{"completed":false,"newErrors":true}'::jsonb NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vital_budgets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"metric" text NOT NULL,
	"percentile" smallint NOT NULL,
	"most" double precision NOT NULL,
	"path_pattern" text NOT NULL,
	"device" text NOT NULL,
	"notify" boolean NOT NULL,
	"state" text DEFAULT 'unknown' NOT NULL,
	"value" double precision,
	"count" integer DEFAULT 0 NOT NULL,
	"evaluated_at" timestamp (3) with time zone,
	"changed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "crawl_families" ADD CONSTRAINT "crawl_families_run_id_crawl_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."crawl_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_findings" ADD CONSTRAINT "crawl_findings_run_id_crawl_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."crawl_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_frontier" ADD CONSTRAINT "crawl_frontier_run_id_crawl_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."crawl_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_issues" ADD CONSTRAINT "crawl_issues_crawler_id_crawlers_id_fk" FOREIGN KEY ("crawler_id") REFERENCES "public"."crawlers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_issues" ADD CONSTRAINT "crawl_issues_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_pages" ADD CONSTRAINT "crawl_pages_run_id_crawl_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."crawl_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_robots" ADD CONSTRAINT "crawl_robots_run_id_crawl_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."crawl_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_rows" ADD CONSTRAINT "crawl_rows_run_id_crawl_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."crawl_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_runs" ADD CONSTRAINT "crawl_runs_crawler_id_crawlers_id_fk" FOREIGN KEY ("crawler_id") REFERENCES "public"."crawlers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_runs" ADD CONSTRAINT "crawl_runs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawl_urls" ADD CONSTRAINT "crawl_urls_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "crawlers" ADD CONSTRAINT "crawlers_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vital_budgets" ADD CONSTRAINT "vital_budgets_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "crawl_issues_fingerprint_key" ON "crawl_issues" USING btree ("crawler_id","fingerprint");--> statement-breakpoint
CREATE INDEX "crawl_issues_open_index" ON "crawl_issues" USING btree ("crawler_id","state","impact");--> statement-breakpoint
CREATE INDEX "crawl_pages_url_index" ON "crawl_pages" USING btree ("url_id");--> statement-breakpoint
CREATE INDEX "crawl_pages_recent_index" ON "crawl_pages" USING btree ("run_id","fetched_at");--> statement-breakpoint
CREATE UNIQUE INDEX "crawl_runs_number_key" ON "crawl_runs" USING btree ("crawler_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "crawl_runs_open_key" ON "crawl_runs" USING btree ("crawler_id") WHERE "crawl_runs"."state" in ('queued', 'running', 'waiting', 'pausing', 'paused', 'stopping');--> statement-breakpoint
CREATE INDEX "crawl_runs_ended_index" ON "crawl_runs" USING btree ("finished_at") WHERE "crawl_runs"."announced_at" is null;--> statement-breakpoint
CREATE INDEX "crawl_urls_family_index" ON "crawl_urls" USING btree ("site_id","host","family");--> statement-breakpoint
CREATE INDEX "crawlers_site_index" ON "crawlers" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "crawlers_due_index" ON "crawlers" USING btree ("next_at") WHERE "crawlers"."enabled" and "crawlers"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "vital_budgets_site_index" ON "vital_budgets" USING btree ("site_id");