CREATE TABLE "content_view_shares" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"view_id" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"token_sealed" text NOT NULL,
	"password_hash" text,
	"drafts" boolean NOT NULL,
	"download" boolean NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"opened" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_care" (
	"site_id" text NOT NULL,
	"table_id" text NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"result" jsonb NOT NULL,
	CONSTRAINT "content_care_table_id_kind_pk" PRIMARY KEY("table_id","kind")
);
--> statement-breakpoint
CREATE TABLE "content_restores" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"asked" text,
	"ended" text,
	"by" jsonb,
	"title" text,
	"trash" text DEFAULT 'with' NOT NULL,
	"job_id" uuid,
	"report" jsonb,
	"table_id" text,
	"position" integer DEFAULT 0 NOT NULL,
	"fault" jsonb,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "content_view_shares" ADD CONSTRAINT "content_view_shares_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_view_shares" ADD CONSTRAINT "content_view_shares_view_id_content_views_id_fk" FOREIGN KEY ("view_id") REFERENCES "public"."content_views"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_view_shares" ADD CONSTRAINT "content_view_shares_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_care" ADD CONSTRAINT "content_care_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_restores" ADD CONSTRAINT "content_restores_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_restores" ADD CONSTRAINT "content_restores_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "content_view_shares_token_hash_key" ON "content_view_shares" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "content_view_shares_site_index" ON "content_view_shares" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "content_view_shares_view_index" ON "content_view_shares" USING btree ("view_id");--> statement-breakpoint
CREATE INDEX "content_care_site_index" ON "content_care" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "content_restores_site_index" ON "content_restores" USING btree ("site_id","created_at");