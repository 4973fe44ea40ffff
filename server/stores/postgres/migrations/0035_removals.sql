CREATE TABLE "removals" (
	"kind" text NOT NULL,
	"id" uuid NOT NULL,
	"site_id" text,
	"removed_by" uuid NOT NULL,
	"rows" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "removals_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
ALTER TABLE "removals" ADD CONSTRAINT "removals_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "removals" ADD CONSTRAINT "removals_removed_by_users_id_fk" FOREIGN KEY ("removed_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "removals_site_index" ON "removals" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "removals_person_index" ON "removals" USING btree ("removed_by","at");--> statement-breakpoint
CREATE INDEX "removals_at_index" ON "removals" USING btree ("at");