CREATE TABLE "traffic_imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" serial NOT NULL,
	"site_id" text NOT NULL,
	"files" jsonb NOT NULL,
	"format" text,
	"mode" text,
	"fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"started" boolean DEFAULT false NOT NULL,
	"removing" boolean DEFAULT false NOT NULL,
	"job_id" uuid,
	"progress" jsonb,
	"total" bigint NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "traffic_imports_number_unique" UNIQUE("number")
);
--> statement-breakpoint
ALTER TABLE "traffic_imports" ADD CONSTRAINT "traffic_imports_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traffic_imports" ADD CONSTRAINT "traffic_imports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "traffic_imports_site_index" ON "traffic_imports" USING btree ("site_id","created_at");