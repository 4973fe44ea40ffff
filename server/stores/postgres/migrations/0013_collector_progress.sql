CREATE TABLE "digest_settings" (
	"site_id" text PRIMARY KEY NOT NULL,
	"weekly_since" timestamp (3) with time zone,
	"monthly_since" timestamp (3) with time zone,
	"hour" smallint NOT NULL,
	"rules" jsonb NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "digests_sent" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"kind" text NOT NULL,
	"period" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"sent" integer NOT NULL,
	"rule" jsonb,
	"value" integer,
	"usual" integer,
	"by_hand" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "collector_states" ADD COLUMN "waiting" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "collector_states" ADD COLUMN "drained_to" timestamp (3) with time zone DEFAULT '1970-01-01T00:00:00.000Z' NOT NULL;--> statement-breakpoint
ALTER TABLE "digest_settings" ADD CONSTRAINT "digest_settings_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digests_sent" ADD CONSTRAINT "digests_sent_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "digests_sent_key" ON "digests_sent" USING btree ("site_id","kind","period") WHERE not "digests_sent"."by_hand";