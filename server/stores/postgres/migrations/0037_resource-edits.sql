ALTER TABLE "resource_versions" ADD COLUMN "rotation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "resource_versions" ADD COLUMN "crop" jsonb;