CREATE TABLE "seo_page_hashes" (
	"site_id" text NOT NULL,
	"address" text NOT NULL,
	"hash" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seo_page_hashes_site_id_address_pk" PRIMARY KEY("site_id","address")
);
--> statement-breakpoint
CREATE TABLE "seo_push_engines" (
	"site_id" text NOT NULL,
	"engine" text NOT NULL,
	"problem" text,
	"stopped" boolean DEFAULT false NOT NULL,
	"paused_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"remaining" integer,
	"remaining_on" date,
	"batch" integer,
	"lease_id" uuid,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "seo_push_engines_site_id_engine_pk" PRIMARY KEY("site_id","engine")
);
--> statement-breakpoint
CREATE TABLE "seo_push_ledger" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "seo_push_ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"site_id" text NOT NULL,
	"engine" text NOT NULL,
	"address" text NOT NULL,
	"host" text NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"status" integer,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "seo_push_ledger_state_known" CHECK ("seo_push_ledger"."state" in ('waiting', 'sent', 'refused', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "seo_push_settings" (
	"site_id" text PRIMARY KEY NOT NULL,
	"indexnow" boolean NOT NULL,
	"indexnow_key" text,
	"baidu" boolean NOT NULL,
	"baidu_site" text NOT NULL,
	"baidu_token" text,
	"automatic" boolean NOT NULL,
	"enabled_at" timestamp (3) with time zone,
	"scanned_at" timestamp (3) with time zone,
	"scan_queued_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "not_found_paths" (
	"site_id" text NOT NULL,
	"path" text NOT NULL,
	"people" integer NOT NULL,
	"bots" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"referrer" text DEFAULT '' NOT NULL,
	"referrer_hits" integer DEFAULT 0 NOT NULL,
	"ignored" boolean DEFAULT false NOT NULL,
	CONSTRAINT "not_found_paths_site_id_path_pk" PRIMARY KEY("site_id","path")
);
--> statement-breakpoint
CREATE TABLE "redirect_hits" (
	"site_id" text NOT NULL,
	"from_path" text NOT NULL,
	"day" date NOT NULL,
	"hits" integer NOT NULL,
	CONSTRAINT "redirect_hits_site_id_from_path_day_pk" PRIMARY KEY("site_id","from_path","day")
);
--> statement-breakpoint
CREATE TABLE "robots_versions" (
	"site_id" text NOT NULL,
	"version" integer NOT NULL,
	"text" text NOT NULL,
	"note" text NOT NULL,
	"blocked" integer,
	"opened" integer,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "robots_versions_site_id_version_pk" PRIMARY KEY("site_id","version")
);
--> statement-breakpoint
CREATE TABLE "seo_verifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"service" text NOT NULL,
	"method" text NOT NULL,
	"name" text NOT NULL,
	"content" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"delivered" boolean,
	"checked_at" timestamp (3) with time zone,
	CONSTRAINT "seo_verifications_method_known" CHECK ("seo_verifications"."method" in ('file', 'meta'))
);
--> statement-breakpoint
CREATE TABLE "content_former_slugs" (
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"field_id" text NOT NULL,
	"slug" text NOT NULL,
	"record_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "content_former_slugs_site_id_table_id_field_id_slug_pk" PRIMARY KEY("site_id","table_id","field_id","slug")
);
--> statement-breakpoint
ALTER TABLE "seo_page_hashes" ADD CONSTRAINT "seo_page_hashes_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_push_engines" ADD CONSTRAINT "seo_push_engines_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_push_ledger" ADD CONSTRAINT "seo_push_ledger_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_push_settings" ADD CONSTRAINT "seo_push_settings_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "not_found_paths" ADD CONSTRAINT "not_found_paths_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "redirect_hits" ADD CONSTRAINT "redirect_hits_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "robots_versions" ADD CONSTRAINT "robots_versions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "robots_versions" ADD CONSTRAINT "robots_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_verifications" ADD CONSTRAINT "seo_verifications_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_verifications" ADD CONSTRAINT "seo_verifications_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_former_slugs" ADD CONSTRAINT "content_former_slugs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "seo_push_ledger_waiting_key" ON "seo_push_ledger" USING btree ("site_id","engine","address") WHERE "seo_push_ledger"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "seo_push_ledger_site_index" ON "seo_push_ledger" USING btree ("site_id","id");--> statement-breakpoint
CREATE INDEX "seo_push_ledger_created_at_index" ON "seo_push_ledger" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "seo_verifications_file_key" ON "seo_verifications" USING btree ("site_id","name") WHERE "seo_verifications"."method" = 'file';--> statement-breakpoint
CREATE UNIQUE INDEX "seo_verifications_meta_key" ON "seo_verifications" USING btree ("site_id","name","content") WHERE "seo_verifications"."method" = 'meta';--> statement-breakpoint
CREATE INDEX "content_former_slugs_record_index" ON "content_former_slugs" USING btree ("table_id","record_id");