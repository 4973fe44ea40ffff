CREATE TABLE "vital_budgets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"metric" text NOT NULL,
	"percentile" smallint NOT NULL,
	"most" double precision NOT NULL,
	"path_pattern" text NOT NULL,
	"device" text NOT NULL,
	"notify" boolean NOT NULL,
	"state" text DEFAULT 'unknown' NOT NULL,
	"value" double precision,
	"count" integer DEFAULT 0 NOT NULL,
	"evaluated_at" timestamp (3) with time zone,
	"changed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "vital_budgets" ADD CONSTRAINT "vital_budgets_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vital_budgets_site_index" ON "vital_budgets" USING btree ("site_id");