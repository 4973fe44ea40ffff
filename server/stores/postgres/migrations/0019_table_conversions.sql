CREATE TABLE "content_conversions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"field_id" text NOT NULL,
	"job_id" uuid NOT NULL,
	"state" text NOT NULL,
	"of" uuid,
	"spec" jsonb NOT NULL,
	"progress" jsonb NOT NULL,
	"error" text,
	"by" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone,
	"keep_until" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "content_deliveries" ADD COLUMN "spans" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "content_hooks" ADD COLUMN "filter" jsonb;--> statement-breakpoint
ALTER TABLE "content_hooks" ADD COLUMN "old_secret" text;--> statement-breakpoint
ALTER TABLE "content_hooks" ADD COLUMN "old_secret_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "content_hooks" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "content_hooks" ADD COLUMN "off_reason" text;--> statement-breakpoint
ALTER TABLE "content_hooks" ADD COLUMN "off_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "content_conversions" ADD CONSTRAINT "content_conversions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_conversions" ADD CONSTRAINT "content_conversions_by_users_id_fk" FOREIGN KEY ("by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_conversions_field_index" ON "content_conversions" USING btree ("field_id","at");--> statement-breakpoint
CREATE INDEX "content_conversions_site_index" ON "content_conversions" USING btree ("site_id");--> statement-breakpoint
CREATE UNIQUE INDEX "content_conversions_running_key" ON "content_conversions" USING btree ("field_id") WHERE "content_conversions"."state" = 'running';--> statement-breakpoint
CREATE INDEX "content_deliveries_waiting_index" ON "content_deliveries" USING btree ("hook_id","id") WHERE "content_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "content_deliveries_at_index" ON "content_deliveries" USING btree ("at");