CREATE TABLE "live_releases" (
	"site_id" text PRIMARY KEY NOT NULL,
	"release_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "part_contents" (
	"site_id" text NOT NULL,
	"sha256" text NOT NULL,
	"content" jsonb NOT NULL,
	CONSTRAINT "part_contents_site_id_sha256_pk" PRIMARY KEY("site_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "releases" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"number" integer NOT NULL,
	"state" text NOT NULL,
	"parts" jsonb NOT NULL,
	"note" text NOT NULL,
	"batch_id" uuid,
	"records" integer DEFAULT 0 NOT NULL,
	"selected" jsonb,
	"failure" jsonb,
	"rolls_back_to" uuid,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"scheduled_for" timestamp (3) with time zone,
	"published_at" timestamp (3) with time zone,
	CONSTRAINT "releases_state_known" CHECK ("releases"."state" in ('scheduled', 'published', 'failed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "site_parts" (
	"site_id" text NOT NULL,
	"part" text NOT NULL,
	"content" jsonb NOT NULL,
	"revision" integer NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "site_parts_site_id_part_pk" PRIMARY KEY("site_id","part")
);
--> statement-breakpoint
CREATE TABLE "theme_file_versions" (
	"site_id" text NOT NULL,
	"path" text NOT NULL,
	"revision" integer NOT NULL,
	"sha256" text NOT NULL,
	"bytes" integer NOT NULL,
	"removed" boolean DEFAULT false NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "theme_file_versions_site_id_path_revision_pk" PRIMARY KEY("site_id","path","revision")
);
--> statement-breakpoint
CREATE TABLE "theme_files" (
	"site_id" text NOT NULL,
	"path" text NOT NULL,
	"sha256" text NOT NULL,
	"bytes" integer NOT NULL,
	"revision" integer NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "theme_files_site_id_path_pk" PRIMARY KEY("site_id","path")
);
--> statement-breakpoint
ALTER TABLE "live_releases" ADD CONSTRAINT "live_releases_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_releases" ADD CONSTRAINT "live_releases_release_id_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."releases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "part_contents" ADD CONSTRAINT "part_contents_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "releases" ADD CONSTRAINT "releases_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "releases" ADD CONSTRAINT "releases_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_parts" ADD CONSTRAINT "site_parts_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_parts" ADD CONSTRAINT "site_parts_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_file_versions" ADD CONSTRAINT "theme_file_versions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_file_versions" ADD CONSTRAINT "theme_file_versions_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_files" ADD CONSTRAINT "theme_files_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_files" ADD CONSTRAINT "theme_files_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "releases_number_key" ON "releases" USING btree ("site_id","number");--> statement-breakpoint
CREATE INDEX "releases_due_index" ON "releases" USING btree ("scheduled_for") WHERE "releases"."state" = 'scheduled';