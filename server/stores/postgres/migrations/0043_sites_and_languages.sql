CREATE TABLE "removed_languages" (
	"site_id" text NOT NULL,
	"language" text NOT NULL,
	"settings" jsonb NOT NULL,
	"removed_by" uuid,
	"removed_at" timestamp (3) with time zone NOT NULL,
	"purge_at" timestamp (3) with time zone NOT NULL,
	"purging" boolean DEFAULT false NOT NULL,
	CONSTRAINT "removed_languages_site_id_language_pk" PRIMARY KEY("site_id","language")
);
--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "tags" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "removed_languages" ADD CONSTRAINT "removed_languages_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removed_languages" ADD CONSTRAINT "removed_languages_removed_by_users_id_fk" FOREIGN KEY ("removed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "removed_languages_due_index" ON "removed_languages" USING btree ("purge_at");