CREATE TABLE "site_exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"job_id" uuid,
	"size" bigint,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "site_import_items" (
	"import_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"source" text NOT NULL,
	"n" integer NOT NULL,
	"collection" text NOT NULL,
	"title" text NOT NULL,
	"old_path" text,
	"new_path" text,
	"hash" text NOT NULL,
	"data" jsonb NOT NULL,
	"outcome" text NOT NULL,
	"reason" text,
	"table_id" text,
	"record_id" uuid,
	"resource_id" uuid,
	"batch_id" uuid,
	CONSTRAINT "site_import_items_import_id_kind_source_pk" PRIMARY KEY("import_id","kind","source")
);
--> statement-breakpoint
CREATE TABLE "site_imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text,
	"created_by" uuid,
	"state" text NOT NULL,
	"source" text,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"address" text,
	"pages" integer DEFAULT 0 NOT NULL,
	"step" text,
	"job_id" uuid,
	"by" jsonb NOT NULL,
	"plan" jsonb,
	"mapping" jsonb,
	"target" jsonb,
	"written" jsonb,
	"checked" jsonb,
	"left" integer,
	"fault" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "site_exports" ADD CONSTRAINT "site_exports_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_exports" ADD CONSTRAINT "site_exports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_import_items" ADD CONSTRAINT "site_import_items_import_id_site_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."site_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_imports" ADD CONSTRAINT "site_imports_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_imports" ADD CONSTRAINT "site_imports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_exports_site_index" ON "site_exports" USING btree ("site_id","created_at");--> statement-breakpoint
CREATE INDEX "site_import_items_order_index" ON "site_import_items" USING btree ("import_id","kind","n");--> statement-breakpoint
CREATE INDEX "site_import_items_batch_index" ON "site_import_items" USING btree ("import_id","batch_id") WHERE "site_import_items"."batch_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "site_imports_person_index" ON "site_imports" USING btree ("created_by","created_at");--> statement-breakpoint
CREATE INDEX "site_imports_site_index" ON "site_imports" USING btree ("site_id");