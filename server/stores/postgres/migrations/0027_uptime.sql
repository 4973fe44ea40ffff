CREATE TABLE "uptime_incidents" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"reason" text NOT NULL,
	"detail" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uptime_monitors" (
	"site_id" text PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"interval_minutes" smallint NOT NULL,
	"path" text NOT NULL,
	"expected_status" smallint,
	"keyword" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"state" text DEFAULT 'unknown' NOT NULL,
	"since" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"response_ms" integer,
	"reason" text,
	"detail" text DEFAULT '' NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"certificate_expires_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"lease_id" uuid,
	"lease_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "uptime_warnings" (
	"site_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"days" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "uptime_warnings_site_id_expires_at_days_pk" PRIMARY KEY("site_id","expires_at","days")
);
--> statement-breakpoint
ALTER TABLE "uptime_incidents" ADD CONSTRAINT "uptime_incidents_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_monitors" ADD CONSTRAINT "uptime_monitors_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uptime_warnings" ADD CONSTRAINT "uptime_warnings_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "uptime_incidents_open_key" ON "uptime_incidents" USING btree ("site_id") WHERE "uptime_incidents"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "uptime_incidents_site_index" ON "uptime_incidents" USING btree ("site_id","id");--> statement-breakpoint
CREATE INDEX "uptime_monitors_due_index" ON "uptime_monitors" USING btree ("next_at") WHERE "uptime_monitors"."enabled";