CREATE TABLE "content_former_slugs" (
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"field_id" text NOT NULL,
	"slug" text NOT NULL,
	"record_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "content_former_slugs_site_id_table_id_field_id_slug_pk" PRIMARY KEY("site_id","table_id","field_id","slug")
);
--> statement-breakpoint
CREATE TABLE "not_found_paths" (
	"site_id" text NOT NULL,
	"path" text NOT NULL,
	"people" integer NOT NULL,
	"bots" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"referrer" text DEFAULT '' NOT NULL,
	"referrer_hits" integer DEFAULT 0 NOT NULL,
	"ignored" boolean DEFAULT false NOT NULL,
	CONSTRAINT "not_found_paths_site_id_path_pk" PRIMARY KEY("site_id","path")
);
--> statement-breakpoint
CREATE TABLE "redirect_hits" (
	"site_id" text NOT NULL,
	"from_path" text NOT NULL,
	"day" date NOT NULL,
	"hits" integer NOT NULL,
	CONSTRAINT "redirect_hits_site_id_from_path_day_pk" PRIMARY KEY("site_id","from_path","day")
);
--> statement-breakpoint
CREATE TABLE "robots_versions" (
	"site_id" text NOT NULL,
	"version" integer NOT NULL,
	"text" text NOT NULL,
	"note" text NOT NULL,
	"blocked" integer,
	"opened" integer,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "robots_versions_site_id_version_pk" PRIMARY KEY("site_id","version")
);
--> statement-breakpoint
ALTER TABLE "content_former_slugs" ADD CONSTRAINT "content_former_slugs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "not_found_paths" ADD CONSTRAINT "not_found_paths_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "redirect_hits" ADD CONSTRAINT "redirect_hits_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "robots_versions" ADD CONSTRAINT "robots_versions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "robots_versions" ADD CONSTRAINT "robots_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_former_slugs_record_index" ON "content_former_slugs" USING btree ("table_id","record_id");