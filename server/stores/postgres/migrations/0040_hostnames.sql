CREATE TABLE "hostname_certificates" (
	"hostname_id" uuid PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"chain" text NOT NULL,
	"sealed_key" text NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hostname_quarantine" (
	"host" text PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hostname_warnings" (
	"hostname_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"days" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "hostname_warnings_hostname_id_expires_at_days_pk" PRIMARY KEY("hostname_id","expires_at","days")
);
--> statement-breakpoint
CREATE TABLE "hostnames" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"host" text NOT NULL,
	"apex" text NOT NULL,
	"role" text NOT NULL,
	"redirect_code" smallint DEFAULT 308 NOT NULL,
	"keep_path" boolean DEFAULT true NOT NULL,
	"redirect_to" uuid,
	"force_https" boolean DEFAULT false NOT NULL,
	"hsts" jsonb DEFAULT '{"maxAge":0,"subdomains":false,"preload":false}'::jsonb NOT NULL,
	"token" text NOT NULL,
	"contested" boolean NOT NULL,
	"ownership" text DEFAULT 'unverified' NOT NULL,
	"dns" text DEFAULT 'unknown' NOT NULL,
	"tls" text DEFAULT 'none' NOT NULL,
	"tls_error" text DEFAULT '' NOT NULL,
	"certificate" jsonb,
	"records" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"probe" jsonb DEFAULT '{"state":"unknown","detail":""}'::jsonb NOT NULL,
	"active_at" timestamp (3) with time zone,
	"wrong_answers" integer DEFAULT 0 NOT NULL,
	"wrong_since" timestamp (3) with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"lease_id" uuid,
	"lease_until" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "hostnames_role_known" CHECK ("hostnames"."role" in ('primary', 'serve', 'redirect'))
);
--> statement-breakpoint
ALTER TABLE "hostname_certificates" ADD CONSTRAINT "hostname_certificates_hostname_id_hostnames_id_fk" FOREIGN KEY ("hostname_id") REFERENCES "public"."hostnames"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hostname_warnings" ADD CONSTRAINT "hostname_warnings_hostname_id_hostnames_id_fk" FOREIGN KEY ("hostname_id") REFERENCES "public"."hostnames"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hostnames" ADD CONSTRAINT "hostnames_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hostnames" ADD CONSTRAINT "hostnames_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "hostnames_host_key" ON "hostnames" USING btree ("host");--> statement-breakpoint
CREATE UNIQUE INDEX "hostnames_primary_key" ON "hostnames" USING btree ("site_id") WHERE "hostnames"."role" = 'primary';--> statement-breakpoint
CREATE INDEX "hostnames_site_index" ON "hostnames" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "hostnames_apex_index" ON "hostnames" USING btree ("apex");--> statement-breakpoint
CREATE INDEX "hostnames_due_index" ON "hostnames" USING btree ("next_at");