CREATE TABLE "content_publication_failures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"record_id" uuid NOT NULL,
	"table_title" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"failed_at" timestamp (3) with time zone NOT NULL,
	"scheduled_by" uuid,
	"reason" text NOT NULL,
	"errors" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "content_publication_failures" ADD CONSTRAINT "content_publication_failures_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_publication_failures" ADD CONSTRAINT "content_publication_failures_scheduled_by_users_id_fk" FOREIGN KEY ("scheduled_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "content_publication_failures_record_key" ON "content_publication_failures" USING btree ("table_id","record_id");--> statement-breakpoint
CREATE INDEX "content_publication_failures_site_index" ON "content_publication_failures" USING btree ("site_id","failed_at");