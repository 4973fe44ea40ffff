CREATE TABLE "content_import_parts" (
	"import_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"outcomes" text NOT NULL,
	"ids" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"faults" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "content_import_parts_import_id_part_pk" PRIMARY KEY("import_id","part")
);
--> statement-breakpoint
CREATE TABLE "content_imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"table_id" text,
	"title" text,
	"made_table" boolean DEFAULT false NOT NULL,
	"made_fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"asked" text,
	"ended" text,
	"by" jsonb,
	"plan" jsonb,
	"spool" jsonb,
	"checked" text,
	"position" integer DEFAULT 0 NOT NULL,
	"job_id" uuid,
	"pace" jsonb,
	"counts" jsonb,
	"new_choices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"batch_id" uuid,
	"undone" boolean DEFAULT false NOT NULL,
	"left" integer,
	"fault" jsonb,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"asked_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "content_import_parts" ADD CONSTRAINT "content_import_parts_import_id_content_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."content_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_imports" ADD CONSTRAINT "content_imports_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_imports" ADD CONSTRAINT "content_imports_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_imports_site_index" ON "content_imports" USING btree ("site_id","created_at");--> statement-breakpoint
CREATE INDEX "content_imports_table_index" ON "content_imports" USING btree ("table_id");