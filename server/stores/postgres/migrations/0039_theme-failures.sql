CREATE TABLE "theme_failures" (
	"site_id" text NOT NULL,
	"name" text NOT NULL,
	"reason" text NOT NULL,
	"message" text NOT NULL,
	"file" text,
	"line" integer,
	"column" integer,
	"page" text NOT NULL,
	"count" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "theme_failures_site_id_name_pk" PRIMARY KEY("site_id","name")
);
--> statement-breakpoint
ALTER TABLE "theme_failures" ADD CONSTRAINT "theme_failures_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;