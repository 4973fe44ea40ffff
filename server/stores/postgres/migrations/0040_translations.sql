CREATE TABLE "site_glossaries" (
	"site_id" text PRIMARY KEY NOT NULL,
	"rows" jsonb NOT NULL,
	"revision" integer NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "translation_engines" (
	"site_id" text NOT NULL,
	"kind" text NOT NULL,
	"url" text,
	"sealed_key" text,
	"daily_limit" integer,
	"used_on" date NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "translation_engines_site_id_kind_pk" PRIMARY KEY("site_id","kind")
);
--> statement-breakpoint
CREATE TABLE "translation_marks" (
	"site_id" text NOT NULL,
	"entity" text NOT NULL,
	"place_group" text NOT NULL,
	"place_id" text NOT NULL,
	"field" text NOT NULL,
	"language" text NOT NULL,
	"state" text NOT NULL,
	"source_hash" text NOT NULL,
	"text_hash" text NOT NULL,
	"source" text NOT NULL,
	"marked_by" uuid,
	"marked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "translation_marks_site_id_entity_place_group_place_id_field_language_pk" PRIMARY KEY("site_id","entity","place_group","place_id","field","language")
);
--> statement-breakpoint
CREATE TABLE "translation_run_items" (
	"run_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"entity" text NOT NULL,
	"place_group" text NOT NULL,
	"place_id" text NOT NULL,
	"field" text NOT NULL,
	"text_before" text,
	"text_after" text NOT NULL,
	"state" text NOT NULL,
	"mark_before" jsonb,
	"result" text,
	CONSTRAINT "translation_run_items_run_id_n_pk" PRIMARY KEY("run_id","n")
);
--> statement-breakpoint
CREATE TABLE "translation_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"kind" text NOT NULL,
	"language" text NOT NULL,
	"label" text NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"batch_id" uuid NOT NULL,
	"undo_batch_id" uuid NOT NULL,
	"job_id" uuid,
	"started_by" uuid,
	"started_at" timestamp (3) with time zone NOT NULL,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "site_glossaries" ADD CONSTRAINT "site_glossaries_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_glossaries" ADD CONSTRAINT "site_glossaries_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_engines" ADD CONSTRAINT "translation_engines_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_engines" ADD CONSTRAINT "translation_engines_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_marks" ADD CONSTRAINT "translation_marks_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_marks" ADD CONSTRAINT "translation_marks_marked_by_users_id_fk" FOREIGN KEY ("marked_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_run_items" ADD CONSTRAINT "translation_run_items_run_fk" FOREIGN KEY ("run_id") REFERENCES "public"."translation_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_runs" ADD CONSTRAINT "translation_runs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_runs" ADD CONSTRAINT "translation_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "translation_runs_site_index" ON "translation_runs" USING btree ("site_id","started_at");