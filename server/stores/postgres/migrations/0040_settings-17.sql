CREATE TABLE "country_notices" (
	"site_id" text PRIMARY KEY NOT NULL,
	"problem" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "crawler_ranges" (
	"source" text PRIMARY KEY NOT NULL,
	"crawler" text NOT NULL,
	"networks" text[] NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "filing_documents" (
	"filing_id" uuid NOT NULL,
	"resource_id" uuid NOT NULL,
	"item" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "filing_documents_filing_id_resource_id_pk" PRIMARY KEY("filing_id","resource_id")
);
--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "domain_expires" date;--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "data_changed_on" date;--> statement-breakpoint
ALTER TABLE "filings" ADD COLUMN "checklist" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "country_notices" ADD CONSTRAINT "country_notices_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_documents" ADD CONSTRAINT "filing_documents_filing_id_filings_id_fk" FOREIGN KEY ("filing_id") REFERENCES "public"."filings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_documents" ADD CONSTRAINT "filing_documents_resource_id_resources_id_fk" FOREIGN KEY ("resource_id") REFERENCES "public"."resources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_documents" ADD CONSTRAINT "filing_documents_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "filing_documents_resource_index" ON "filing_documents" USING btree ("resource_id");