CREATE TABLE "collect_counts" (
	"site_id" text NOT NULL,
	"day" date NOT NULL,
	"what" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "collect_counts_site_id_day_what_pk" PRIMARY KEY("site_id","day","what")
);
--> statement-breakpoint
CREATE TABLE "collector_states" (
	"process" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"journal_bytes" bigint NOT NULL,
	"journal_max_bytes" bigint NOT NULL,
	"stuck_since" timestamp (3) with time zone,
	"oldest_waiting" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "measuring_settings" (
	"site_id" text PRIMARY KEY NOT NULL,
	"settings" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "visit_tasks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"shard" smallint NOT NULL,
	"visitors" text[],
	"asked_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "measuring_settings" ADD CONSTRAINT "measuring_settings_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visit_tasks" ADD CONSTRAINT "visit_tasks_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "visit_tasks_shard_index" ON "visit_tasks" USING btree ("shard");