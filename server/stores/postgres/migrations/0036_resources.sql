CREATE TABLE "blobs" (
	"site_id" text NOT NULL,
	"sha256" text NOT NULL,
	"bytes" bigint NOT NULL,
	"kind" text NOT NULL,
	"content_type" text NOT NULL,
	"width" integer,
	"height" integer,
	"duration_ms" integer,
	"thumbhash" text,
	"color" text,
	"perceptual_hash" text,
	"has_gps" boolean DEFAULT false NOT NULL,
	"media" jsonb,
	"scan" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "blobs_site_id_sha256_pk" PRIMARY KEY("site_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "resource_captions" (
	"resource_id" uuid NOT NULL,
	"language" text NOT NULL,
	"use" text NOT NULL,
	"label" text NOT NULL,
	"source" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "resource_captions_resource_id_language_use_pk" PRIMARY KEY("resource_id","language","use")
);
--> statement-breakpoint
CREATE TABLE "resource_folders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"parent_id" uuid,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "resource_references" (
	"site_id" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"source" text NOT NULL,
	"owner" text NOT NULL,
	"source_id" text NOT NULL,
	"place" text NOT NULL,
	CONSTRAINT "resource_references_site_id_resource_id_source_owner_source_id_place_pk" PRIMARY KEY("site_id","resource_id","source","owner","source_id","place")
);
--> statement-breakpoint
CREATE TABLE "resource_settings" (
	"site_id" text PRIMARY KEY NOT NULL,
	"max_bytes" bigint,
	"max_file_bytes" bigint,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "resource_uploads" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"folder_id" uuid,
	"replaces" uuid,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"resource_id" uuid
);
--> statement-breakpoint
CREATE TABLE "resource_variants" (
	"site_id" text NOT NULL,
	"sha256" text NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "resource_variants_site_id_sha256_name_pk" PRIMARY KEY("site_id","sha256","name")
);
--> statement-breakpoint
CREATE TABLE "resource_versions" (
	"resource_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"site_id" text NOT NULL,
	"sha256" text NOT NULL,
	"name" text NOT NULL,
	"rotation" integer DEFAULT 0 NOT NULL,
	"crop" jsonb,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "resource_versions_resource_id_version_pk" PRIMARY KEY("resource_id","version")
);
--> statement-breakpoint
CREATE TABLE "resources" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"kind" text NOT NULL,
	"folder_id" uuid,
	"name" text NOT NULL,
	"title" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"alt" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"caption" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"sha256" text NOT NULL,
	"rotation" integer DEFAULT 0 NOT NULL,
	"crop" jsonb,
	"focal_x" real DEFAULT 0.5 NOT NULL,
	"focal_y" real DEFAULT 0.5 NOT NULL,
	"visibility" text DEFAULT 'public' NOT NULL,
	"poster_sha256" text,
	"pending_until" timestamp (3) with time zone,
	"downloads" bigint DEFAULT 0 NOT NULL,
	"last_downloaded_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_captions" ADD CONSTRAINT "resource_captions_resource_id_resources_id_fk" FOREIGN KEY ("resource_id") REFERENCES "public"."resources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_folders" ADD CONSTRAINT "resource_folders_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_folders" ADD CONSTRAINT "resource_folders_parent_id_resource_folders_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."resource_folders"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_references" ADD CONSTRAINT "resource_references_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_settings" ADD CONSTRAINT "resource_settings_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_uploads" ADD CONSTRAINT "resource_uploads_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_uploads" ADD CONSTRAINT "resource_uploads_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_variants" ADD CONSTRAINT "resource_variants_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_variants" ADD CONSTRAINT "resource_variants_site_id_sha256_blobs_site_id_sha256_fk" FOREIGN KEY ("site_id","sha256") REFERENCES "public"."blobs"("site_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_versions" ADD CONSTRAINT "resource_versions_resource_id_resources_id_fk" FOREIGN KEY ("resource_id") REFERENCES "public"."resources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_versions" ADD CONSTRAINT "resource_versions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_versions" ADD CONSTRAINT "resource_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_versions" ADD CONSTRAINT "resource_versions_site_id_sha256_blobs_site_id_sha256_fk" FOREIGN KEY ("site_id","sha256") REFERENCES "public"."blobs"("site_id","sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resources" ADD CONSTRAINT "resources_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resources" ADD CONSTRAINT "resources_folder_id_resource_folders_id_fk" FOREIGN KEY ("folder_id") REFERENCES "public"."resource_folders"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resources" ADD CONSTRAINT "resources_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resources" ADD CONSTRAINT "resources_site_id_sha256_blobs_site_id_sha256_fk" FOREIGN KEY ("site_id","sha256") REFERENCES "public"."blobs"("site_id","sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resources" ADD CONSTRAINT "resources_site_id_poster_sha256_blobs_site_id_sha256_fk" FOREIGN KEY ("site_id","poster_sha256") REFERENCES "public"."blobs"("site_id","sha256") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "resource_folders_name_index" ON "resource_folders" USING btree ("site_id",coalesce("parent_id", '00000000-0000-0000-0000-000000000000'),lower("name"));--> statement-breakpoint
CREATE INDEX "resource_references_source_index" ON "resource_references" USING btree ("site_id","source","owner","source_id");--> statement-breakpoint
CREATE INDEX "resource_uploads_site_index" ON "resource_uploads" USING btree ("site_id","created_at");--> statement-breakpoint
CREATE INDEX "resource_variants_used_index" ON "resource_variants" USING btree ("last_used_at");--> statement-breakpoint
CREATE INDEX "resource_variants_video_index" ON "resource_variants" USING btree ("site_id") WHERE "resource_variants"."name" LIKE '720.%';--> statement-breakpoint
CREATE INDEX "resource_versions_blob_index" ON "resource_versions" USING btree ("site_id","sha256");--> statement-breakpoint
CREATE INDEX "resources_newest_index" ON "resources" USING btree ("site_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "resources_folder_index" ON "resources" USING btree ("site_id","folder_id");--> statement-breakpoint
CREATE INDEX "resources_blob_index" ON "resources" USING btree ("site_id","sha256");--> statement-breakpoint
CREATE INDEX "resources_poster_index" ON "resources" USING btree ("site_id","poster_sha256");--> statement-breakpoint
CREATE INDEX "resources_tags_index" ON "resources" USING gin ("tags");