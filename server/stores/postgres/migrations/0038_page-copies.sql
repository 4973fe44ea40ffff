CREATE TABLE "page_copies" (
	"site_id" text NOT NULL,
	"name" text NOT NULL,
	"headers" jsonb NOT NULL,
	"html" "bytea" NOT NULL,
	"bytes" integer NOT NULL,
	"etag" text NOT NULL,
	"stored_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "page_copies_site_id_name_pk" PRIMARY KEY("site_id","name")
);
--> statement-breakpoint
DROP INDEX "hostnames_host_key";--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "preview_number" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "page_copies" ADD CONSTRAINT "page_copies_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "hostnames_host_site_key" ON "hostnames" USING btree ("host","site_id");--> statement-breakpoint
CREATE UNIQUE INDEX "hostnames_owner_key" ON "hostnames" USING btree ("host") WHERE "hostnames"."ownership" = 'verified';