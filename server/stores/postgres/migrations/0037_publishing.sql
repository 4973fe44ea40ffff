CREATE TABLE "hostname_certificates" (
	"hostname_id" uuid PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"chain" text NOT NULL,
	"sealed_key" text NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hostname_quarantine" (
	"host" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hostname_warnings" (
	"hostname_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"days" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "hostname_warnings_hostname_id_expires_at_days_pk" PRIMARY KEY("hostname_id","expires_at","days")
);
--> statement-breakpoint
CREATE TABLE "hostnames" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"host" text NOT NULL,
	"apex" text NOT NULL,
	"role" text NOT NULL,
	"redirect_code" smallint DEFAULT 308 NOT NULL,
	"keep_path" boolean DEFAULT true NOT NULL,
	"redirect_to" uuid,
	"force_https" boolean DEFAULT false NOT NULL,
	"hsts" jsonb DEFAULT '{"maxAge":0,"subdomains":false,"preload":false}'::jsonb NOT NULL,
	"token" text NOT NULL,
	"contested" boolean NOT NULL,
	"ownership" text DEFAULT 'unverified' NOT NULL,
	"dns" text DEFAULT 'unknown' NOT NULL,
	"tls" text DEFAULT 'none' NOT NULL,
	"tls_error" text DEFAULT '' NOT NULL,
	"certificate" jsonb,
	"tls_failures" integer DEFAULT 0 NOT NULL,
	"tls_next_at" timestamp (3) with time zone,
	"records" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"probe" jsonb DEFAULT '{"state":"unknown","detail":""}'::jsonb NOT NULL,
	"active_at" timestamp (3) with time zone,
	"wrong_answers" integer DEFAULT 0 NOT NULL,
	"wrong_since" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"lease_id" uuid,
	"lease_until" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "hostnames_role_known" CHECK ("hostnames"."role" in ('primary', 'serve', 'redirect'))
);
--> statement-breakpoint
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
CREATE TABLE "theme_changes" (
	"site_id" text NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"base" text,
	"files" integer NOT NULL,
	"path" text,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "theme_changes_site_id_number_pk" PRIMARY KEY("site_id","number")
);
--> statement-breakpoint
CREATE TABLE "theme_failures" (
	"site_id" text NOT NULL,
	"name" text NOT NULL,
	"reason" text NOT NULL,
	"message" text NOT NULL,
	"file" text,
	"line" integer,
	"column" integer,
	"page" text NOT NULL,
	"count" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "theme_failures_site_id_name_pk" PRIMARY KEY("site_id","name")
);
--> statement-breakpoint
CREATE TABLE "theme_file_versions" (
	"site_id" text NOT NULL,
	"path" text NOT NULL,
	"revision" integer NOT NULL,
	"change" integer NOT NULL,
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
CREATE TABLE "former_slugs" (
	"slug" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sites" DROP CONSTRAINT "sites_state_known";--> statement-breakpoint
ALTER TABLE "sites" ALTER COLUMN "state" SET DEFAULT 'draft';--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "open_state" text DEFAULT 'draft' NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "visibility" text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "password_hash" text;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "maintenance" jsonb DEFAULT '{"message":{},"retryAfter":3600}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "bypass_number" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "suspended_at" timestamp (3) with time zone;--> statement-breakpoint
-- Sites whose pages are hosted elsewhere were visible to their visitors; the others had only a start page.
UPDATE "sites" SET "open_state" = 'published' WHERE "purpose" = 'external';--> statement-breakpoint
UPDATE "sites" SET "state" = "open_state" WHERE "state" = 'active';--> statement-breakpoint
ALTER TABLE "hostname_certificates" ADD CONSTRAINT "hostname_certificates_hostname_id_hostnames_id_fk" FOREIGN KEY ("hostname_id") REFERENCES "public"."hostnames"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hostname_warnings" ADD CONSTRAINT "hostname_warnings_hostname_id_hostnames_id_fk" FOREIGN KEY ("hostname_id") REFERENCES "public"."hostnames"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hostnames" ADD CONSTRAINT "hostnames_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hostnames" ADD CONSTRAINT "hostnames_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_releases" ADD CONSTRAINT "live_releases_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_releases" ADD CONSTRAINT "live_releases_release_id_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."releases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "part_contents" ADD CONSTRAINT "part_contents_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "releases" ADD CONSTRAINT "releases_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "releases" ADD CONSTRAINT "releases_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_parts" ADD CONSTRAINT "site_parts_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_parts" ADD CONSTRAINT "site_parts_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_changes" ADD CONSTRAINT "theme_changes_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_changes" ADD CONSTRAINT "theme_changes_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_failures" ADD CONSTRAINT "theme_failures_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_file_versions" ADD CONSTRAINT "theme_file_versions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_file_versions" ADD CONSTRAINT "theme_file_versions_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_files" ADD CONSTRAINT "theme_files_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_files" ADD CONSTRAINT "theme_files_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_slugs" ADD CONSTRAINT "former_slugs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "hostnames_host_key" ON "hostnames" USING btree ("host");--> statement-breakpoint
CREATE UNIQUE INDEX "hostnames_primary_key" ON "hostnames" USING btree ("site_id") WHERE "hostnames"."role" = 'primary';--> statement-breakpoint
CREATE INDEX "hostnames_site_index" ON "hostnames" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "hostnames_apex_index" ON "hostnames" USING btree ("apex");--> statement-breakpoint
CREATE INDEX "hostnames_due_index" ON "hostnames" USING btree ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "releases_number_key" ON "releases" USING btree ("site_id","number");--> statement-breakpoint
CREATE INDEX "releases_due_index" ON "releases" USING btree ("scheduled_for") WHERE "releases"."state" = 'scheduled';--> statement-breakpoint
CREATE INDEX "theme_file_versions_change_index" ON "theme_file_versions" USING btree ("site_id","change");--> statement-breakpoint
CREATE INDEX "former_slugs_site_index" ON "former_slugs" USING btree ("site_id");--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_open_state_known" CHECK ("sites"."open_state" in ('draft', 'published', 'maintenance'));--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_visibility_known" CHECK ("sites"."visibility" in ('public', 'password', 'private'));--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_state_known" CHECK ("sites"."state" in ('draft', 'published', 'maintenance', 'suspended', 'archived', 'deleted'));