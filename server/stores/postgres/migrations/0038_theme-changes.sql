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
ALTER TABLE "theme_file_versions" ADD COLUMN "change" integer NOT NULL;--> statement-breakpoint
ALTER TABLE "theme_changes" ADD CONSTRAINT "theme_changes_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "theme_changes" ADD CONSTRAINT "theme_changes_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "theme_file_versions_change_index" ON "theme_file_versions" USING btree ("site_id","change");
