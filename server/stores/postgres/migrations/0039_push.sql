CREATE TABLE "seo_verifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"service" text NOT NULL,
	"method" text NOT NULL,
	"name" text NOT NULL,
	"content" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"delivered" boolean,
	"checked_at" timestamp (3) with time zone,
	CONSTRAINT "seo_verifications_method_known" CHECK ("seo_verifications"."method" in ('file', 'meta'))
);
--> statement-breakpoint
ALTER TABLE "seo_verifications" ADD CONSTRAINT "seo_verifications_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_verifications" ADD CONSTRAINT "seo_verifications_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "seo_verifications_file_key" ON "seo_verifications" USING btree ("site_id","name") WHERE "seo_verifications"."method" = 'file';--> statement-breakpoint
CREATE UNIQUE INDEX "seo_verifications_meta_key" ON "seo_verifications" USING btree ("site_id","name","content") WHERE "seo_verifications"."method" = 'meta';