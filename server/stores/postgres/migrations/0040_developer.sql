CREATE TABLE "country_notices" (
	"site_id" text PRIMARY KEY NOT NULL,
	"problem" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crawler_ranges" (
	"source" text PRIMARY KEY NOT NULL,
	"crawler" text NOT NULL,
	"networks" text[] NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "filing_documents" (
	"filing_id" uuid NOT NULL,
	"resource_id" uuid NOT NULL,
	"item" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "filing_documents_filing_id_resource_id_pk" PRIMARY KEY("filing_id","resource_id")
);
--> statement-breakpoint
CREATE TABLE "site_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"job_id" uuid,
	"size" bigint,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "site_import_items" (
	"import_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"n" integer NOT NULL,
	"collection" text NOT NULL,
	"title" text NOT NULL,
	"old_path" text,
	"new_path" text,
	"hash" text NOT NULL,
	"data" jsonb NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"table_id" text,
	"record_id" uuid,
	"resource_id" uuid,
	"batch_id" uuid,
	CONSTRAINT "site_import_items_import_id_kind_source_pk" PRIMARY KEY("import_id","kind","source")
);
--> statement-breakpoint
CREATE TABLE "site_imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text,
	"created_by" uuid,
	"state" text NOT NULL,
	"source" text,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"address" text,
	"pages" integer DEFAULT 0 NOT NULL,
	"step" text,
	"job_id" uuid,
	"by" jsonb NOT NULL,
	"plan" jsonb,
	"mapping" jsonb,
	"target" jsonb,
	"written" jsonb,
	"checked" jsonb,
	"left" integer,
	"fault" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
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
ALTER TABLE "filings" ADD COLUMN "domain_expires" date;--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "data_changed_on" date;--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "checklist" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "hostname_certificates" ADD COLUMN "renew_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "hostname_certificates" ADD COLUMN "window_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "suspended_reason" text;--> statement-breakpoint
ALTER TABLE "country_notices" ADD CONSTRAINT "country_notices_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "filing_documents" ADD CONSTRAINT "filing_documents_filing_id_filings_id_fk" FOREIGN KEY ("filing_id") REFERENCES "public"."filings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_documents" ADD CONSTRAINT "filing_documents_resource_id_resources_id_fk" FOREIGN KEY ("resource_id") REFERENCES "public"."resources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_documents" ADD CONSTRAINT "filing_documents_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_exports" ADD CONSTRAINT "site_exports_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_exports" ADD CONSTRAINT "site_exports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_import_items" ADD CONSTRAINT "site_import_items_import_id_site_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."site_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_imports" ADD CONSTRAINT "site_imports_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_imports" ADD CONSTRAINT "site_imports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vital_budgets" ADD CONSTRAINT "vital_budgets_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "crawl_issues_fingerprint_key" ON "crawl_issues" USING btree ("crawler_id","fingerprint");--> statement-breakpoint
CREATE INDEX "crawl_issues_open_index" ON "crawl_issues" USING btree ("crawler_id","state","impact");--> statement-breakpoint
CREATE INDEX "crawl_issues_url_index" ON "crawl_issues" USING btree ("crawler_id","url_id");--> statement-breakpoint
CREATE INDEX "crawl_pages_url_index" ON "crawl_pages" USING btree ("url_id");--> statement-breakpoint
CREATE INDEX "crawl_pages_recent_index" ON "crawl_pages" USING btree ("run_id","fetched_at");--> statement-breakpoint
CREATE UNIQUE INDEX "crawl_runs_number_key" ON "crawl_runs" USING btree ("crawler_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "crawl_runs_open_key" ON "crawl_runs" USING btree ("crawler_id") WHERE "crawl_runs"."state" in ('queued', 'running', 'waiting', 'pausing', 'paused', 'stopping');--> statement-breakpoint
CREATE INDEX "crawl_runs_ended_index" ON "crawl_runs" USING btree ("finished_at") WHERE "crawl_runs"."announced_at" is null;--> statement-breakpoint
CREATE INDEX "crawl_urls_family_index" ON "crawl_urls" USING btree ("site_id","host","family");--> statement-breakpoint
CREATE INDEX "crawlers_site_index" ON "crawlers" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "crawlers_due_index" ON "crawlers" USING btree ("next_at") WHERE "crawlers"."enabled" and "crawlers"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "filing_documents_resource_index" ON "filing_documents" USING btree ("resource_id");--> statement-breakpoint
CREATE INDEX "site_exports_site_index" ON "site_exports" USING btree ("site_id","created_at");--> statement-breakpoint
CREATE INDEX "site_import_items_order_index" ON "site_import_items" USING btree ("import_id","kind","n");--> statement-breakpoint
CREATE INDEX "site_import_items_batch_index" ON "site_import_items" USING btree ("import_id","batch_id") WHERE "site_import_items"."batch_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "site_imports_person_index" ON "site_imports" USING btree ("created_by","created_at");--> statement-breakpoint
CREATE INDEX "site_imports_site_index" ON "site_imports" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "vital_budgets_site_index" ON "vital_budgets" USING btree ("site_id");