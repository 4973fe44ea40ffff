CREATE TABLE "dashboard_snoozes" (
	"site_id" text NOT NULL,
	"user_id" uuid,
	"key" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "dashboard_snoozes" ADD CONSTRAINT "dashboard_snoozes_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dashboard_snoozes" ADD CONSTRAINT "dashboard_snoozes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "dashboard_snoozes_person_key" ON "dashboard_snoozes" USING btree ("site_id","user_id","key") WHERE "dashboard_snoozes"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "dashboard_snoozes_site_key" ON "dashboard_snoozes" USING btree ("site_id","key") WHERE "dashboard_snoozes"."user_id" is null;--> statement-breakpoint
CREATE INDEX "dashboard_snoozes_user_index" ON "dashboard_snoozes" USING btree ("user_id");