CREATE TABLE "content_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"door" text NOT NULL,
	"actor" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"removed" integer DEFAULT 0 NOT NULL,
	"undone_by" uuid,
	"of" uuid
);
--> statement-breakpoint
CREATE TABLE "content_calls" (
	"site_id" text NOT NULL,
	"caller" text NOT NULL,
	"key" text NOT NULL,
	"hash" text NOT NULL,
	"answer" jsonb,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "content_calls_site_id_caller_key_pk" PRIMARY KEY("site_id","caller","key")
);
--> statement-breakpoint
CREATE TABLE "content_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"field_id" text,
	"revision" integer NOT NULL,
	"op" text NOT NULL,
	"name" text NOT NULL,
	"before" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"after" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"by" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"reverted_by" integer
);
--> statement-breakpoint
CREATE TABLE "content_comments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"record_id" uuid NOT NULL,
	"text" text NOT NULL,
	"author" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "content_costs" (
	"table_id" text NOT NULL,
	"shape" text NOT NULL,
	"site_id" text NOT NULL,
	"count" integer NOT NULL,
	"total_ms" real NOT NULL,
	"worst_ms" real NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "content_costs_table_id_shape_pk" PRIMARY KEY("table_id","shape")
);
--> statement-breakpoint
CREATE TABLE "content_deliveries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"hook_id" uuid NOT NULL,
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"event" text NOT NULL,
	"batch_id" uuid,
	"record_ids" uuid[] NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"status" integer,
	"error" text,
	"body" text,
	"reply" text,
	"at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"ms" integer
);
--> statement-breakpoint
CREATE TABLE "content_fields" (
	"id" text PRIMARY KEY NOT NULL,
	"table_id" text NOT NULL,
	"key" text NOT NULL,
	"aliases" text[] DEFAULT '{}' NOT NULL,
	"title" text NOT NULL,
	"type" text NOT NULL,
	"help" text DEFAULT '' NOT NULL,
	"required" boolean DEFAULT false NOT NULL,
	"is_unique" boolean DEFAULT false NOT NULL,
	"indexed" boolean DEFAULT false NOT NULL,
	"localized" boolean DEFAULT false NOT NULL,
	"searchable" boolean DEFAULT false NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"readonly" boolean DEFAULT false NOT NULL,
	"sensitive" boolean DEFAULT false NOT NULL,
	"options" jsonb NOT NULL,
	"rules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"conditions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"default" jsonb,
	"position" integer NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"converting" jsonb
);
--> statement-breakpoint
CREATE TABLE "content_hooks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"secret" text NOT NULL,
	"events" text[] NOT NULL,
	"table_ids" text[],
	"enabled" boolean DEFAULT true NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_rules" (
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"role" text NOT NULL,
	"action" text NOT NULL,
	"allowed" boolean NOT NULL,
	"fields" text[],
	"filter" jsonb,
	CONSTRAINT "content_rules_table_id_role_action_pk" PRIMARY KEY("table_id","role","action")
);
--> statement-breakpoint
CREATE TABLE "content_sites" (
	"site_id" text PRIMARY KEY NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_tables" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"key" text NOT NULL,
	"aliases" text[] DEFAULT '{}' NOT NULL,
	"title" text NOT NULL,
	"icon" text DEFAULT '' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"kind" text NOT NULL,
	"primary_field" text,
	"drafts" boolean NOT NULL,
	"locales" text[] NOT NULL,
	"pages" jsonb,
	"trash_days" integer DEFAULT 30 NOT NULL,
	"position" integer NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "content_views" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"title" text NOT NULL,
	"kind" text NOT NULL,
	"scope" text NOT NULL,
	"owner" uuid,
	"position" integer DEFAULT 0 NOT NULL,
	"query" jsonb NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "content_batches" ADD CONSTRAINT "content_batches_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_batches" ADD CONSTRAINT "content_batches_actor_users_id_fk" FOREIGN KEY ("actor") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_calls" ADD CONSTRAINT "content_calls_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_changes" ADD CONSTRAINT "content_changes_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_changes" ADD CONSTRAINT "content_changes_by_users_id_fk" FOREIGN KEY ("by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_comments" ADD CONSTRAINT "content_comments_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_comments" ADD CONSTRAINT "content_comments_table_id_content_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."content_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_comments" ADD CONSTRAINT "content_comments_author_users_id_fk" FOREIGN KEY ("author") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_costs" ADD CONSTRAINT "content_costs_table_id_content_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."content_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_costs" ADD CONSTRAINT "content_costs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_deliveries" ADD CONSTRAINT "content_deliveries_hook_id_content_hooks_id_fk" FOREIGN KEY ("hook_id") REFERENCES "public"."content_hooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_deliveries" ADD CONSTRAINT "content_deliveries_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_fields" ADD CONSTRAINT "content_fields_table_id_content_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."content_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_hooks" ADD CONSTRAINT "content_hooks_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_hooks" ADD CONSTRAINT "content_hooks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_rules" ADD CONSTRAINT "content_rules_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_rules" ADD CONSTRAINT "content_rules_table_id_content_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."content_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_sites" ADD CONSTRAINT "content_sites_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_tables" ADD CONSTRAINT "content_tables_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_tables" ADD CONSTRAINT "content_tables_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_views" ADD CONSTRAINT "content_views_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_views" ADD CONSTRAINT "content_views_table_id_content_tables_id_fk" FOREIGN KEY ("table_id") REFERENCES "public"."content_tables"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_views" ADD CONSTRAINT "content_views_owner_users_id_fk" FOREIGN KEY ("owner") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_batches_site_index" ON "content_batches" USING btree ("site_id","at");--> statement-breakpoint
CREATE INDEX "content_batches_table_index" ON "content_batches" USING btree ("table_id","at");--> statement-breakpoint
CREATE INDEX "content_calls_at_index" ON "content_calls" USING btree ("at");--> statement-breakpoint
CREATE INDEX "content_changes_table_index" ON "content_changes" USING btree ("table_id","id");--> statement-breakpoint
CREATE INDEX "content_comments_record_index" ON "content_comments" USING btree ("table_id","record_id","at");--> statement-breakpoint
CREATE INDEX "content_deliveries_due_index" ON "content_deliveries" USING btree ("next_at") WHERE "content_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "content_deliveries_hook_index" ON "content_deliveries" USING btree ("hook_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "content_fields_key_key" ON "content_fields" USING btree ("table_id","key") WHERE "content_fields"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "content_fields_table_index" ON "content_fields" USING btree ("table_id");--> statement-breakpoint
CREATE INDEX "content_hooks_site_index" ON "content_hooks" USING btree ("site_id");--> statement-breakpoint
CREATE UNIQUE INDEX "content_tables_key_key" ON "content_tables" USING btree ("site_id","key") WHERE "content_tables"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "content_tables_site_index" ON "content_tables" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "content_views_table_index" ON "content_views" USING btree ("table_id");