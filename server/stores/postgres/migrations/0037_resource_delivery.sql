CREATE TABLE "resource_variants" (
	"site_id" text NOT NULL,
	"sha256" text NOT NULL,
	"name" text NOT NULL,
	"bytes" bigint NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "resource_variants_site_id_sha256_name_pk" PRIMARY KEY("site_id","sha256","name")
);
--> statement-breakpoint
ALTER TABLE "resources" ADD COLUMN "visibility" text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE "resources" ADD COLUMN "downloads" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "resources" ADD COLUMN "last_downloaded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "resource_variants" ADD CONSTRAINT "resource_variants_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_variants" ADD CONSTRAINT "resource_variants_site_id_sha256_blobs_site_id_sha256_fk" FOREIGN KEY ("site_id","sha256") REFERENCES "public"."blobs"("site_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "resource_variants_used_index" ON "resource_variants" USING btree ("last_used_at");