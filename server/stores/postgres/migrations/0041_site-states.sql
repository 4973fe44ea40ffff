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
-- Sites whose pages are hosted elsewhere and sites with a release were visible to their visitors; the others had only a start page.
UPDATE "sites" SET "open_state" = 'published' WHERE "purpose" = 'external' OR EXISTS (SELECT 1 FROM "live_releases" l WHERE l.site_id = "sites"."id");--> statement-breakpoint
UPDATE "sites" SET "state" = "open_state" WHERE "state" = 'active';--> statement-breakpoint
ALTER TABLE "former_slugs" ADD CONSTRAINT "former_slugs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_slugs_site_index" ON "former_slugs" USING btree ("site_id");--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_open_state_known" CHECK ("sites"."open_state" in ('draft', 'published', 'maintenance'));--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_visibility_known" CHECK ("sites"."visibility" in ('public', 'password', 'private'));--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_state_known" CHECK ("sites"."state" in ('draft', 'published', 'maintenance', 'suspended', 'archived', 'deleted'));