CREATE TABLE "country_rules" (
	"site_id" text NOT NULL,
	"version" integer NOT NULL,
	"rule" jsonb NOT NULL,
	"note" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "country_rules_site_id_version_pk" PRIMARY KEY("site_id","version")
);
--> statement-breakpoint
CREATE TABLE "filing_checks" (
	"filing_id" uuid NOT NULL,
	"url" text NOT NULL,
	"state" text NOT NULL,
	"detail" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "filing_checks_filing_id_url_pk" PRIMARY KEY("filing_id","url")
);
--> statement-breakpoint
CREATE TABLE "filing_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"filing_id" uuid NOT NULL,
	"from_state" text,
	"to_state" text NOT NULL,
	"note" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"created_by" uuid
);
--> statement-breakpoint
CREATE TABLE "filing_moves" (
	"kind" text NOT NULL,
	"from_state" text NOT NULL,
	"to_state" text NOT NULL,
	CONSTRAINT "filing_moves_kind_from_state_to_state_pk" PRIMARY KEY("kind","from_state","to_state")
);
--> statement-breakpoint
CREATE TABLE "filing_notices" (
	"filing_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"on" date NOT NULL,
	"step" smallint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "filing_notices_filing_id_kind_on_step_pk" PRIMARY KEY("filing_id","kind","on","step")
);
--> statement-breakpoint
CREATE TABLE "filing_subjects" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"nature" text NOT NULL,
	"name" text NOT NULL,
	"certificate_kind" text NOT NULL,
	"certificate_sealed" text,
	"certificate_masked" text DEFAULT '' NOT NULL,
	"certificate_expires" date,
	"province" text NOT NULL,
	"main_number" text DEFAULT '' NOT NULL,
	"provider" text DEFAULT '' NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "filings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid,
	"service_name" text NOT NULL,
	"number" text NOT NULL,
	"province" text NOT NULL,
	"domains" text[] NOT NULL,
	"home_url" text NOT NULL,
	"content_types" text[] NOT NULL,
	"interactive" boolean NOT NULL,
	"people_sealed" text,
	"people_expire" date,
	"opened_on" date,
	"approved_on" date,
	"compared_on" date,
	"next_review_on" date,
	"sms_until" timestamp (3) with time zone,
	"in_footer" boolean NOT NULL,
	"state" text DEFAULT 'incomplete' NOT NULL,
	"check_at" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "filings_kind_known" CHECK ("filings"."kind" in ('icp', 'license', 'mps', 'app', 'mini')),
	CONSTRAINT "filings_numbered" CHECK ("filings"."number" <> '' or "filings"."state" not in ('approved', 'changing', 'cancelling'))
);
--> statement-breakpoint
CREATE TABLE "site_glossaries" (
	"site_id" text PRIMARY KEY NOT NULL,
	"rows" jsonb NOT NULL,
	"revision" integer NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "translation_engines" (
	"site_id" text NOT NULL,
	"kind" text NOT NULL,
	"url" text,
	"sealed_key" text,
	"daily_limit" integer,
	"used_on" date NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "translation_engines_site_id_kind_pk" PRIMARY KEY("site_id","kind")
);
--> statement-breakpoint
CREATE TABLE "translation_marks" (
	"site_id" text NOT NULL,
	"entity" text NOT NULL,
	"place_group" text NOT NULL,
	"place_id" text NOT NULL,
	"field" text NOT NULL,
	"language" text NOT NULL,
	"state" text NOT NULL,
	"source_hash" text NOT NULL,
	"text_hash" text NOT NULL,
	"source" text NOT NULL,
	"marked_by" uuid,
	"marked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "translation_marks_site_id_entity_place_group_place_id_field_language_pk" PRIMARY KEY("site_id","entity","place_group","place_id","field","language")
);
--> statement-breakpoint
CREATE TABLE "translation_run_items" (
	"run_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"entity" text NOT NULL,
	"place_group" text NOT NULL,
	"place_id" text NOT NULL,
	"field" text NOT NULL,
	"text_before" text,
	"text_after" text NOT NULL,
	"state" text NOT NULL,
	"mark_before" jsonb,
	"result" text,
	CONSTRAINT "translation_run_items_run_id_n_pk" PRIMARY KEY("run_id","n")
);
--> statement-breakpoint
CREATE TABLE "translation_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"site_id" text NOT NULL,
	"kind" text NOT NULL,
	"language" text NOT NULL,
	"label" text NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"batch_id" uuid NOT NULL,
	"undo_batch_id" uuid NOT NULL,
	"job_id" uuid,
	"started_by" uuid,
	"started_at" timestamp (3) with time zone NOT NULL,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "seo_page_hashes" (
	"site_id" text NOT NULL,
	"address" text NOT NULL,
	"hash" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "seo_page_hashes_site_id_address_pk" PRIMARY KEY("site_id","address")
);
--> statement-breakpoint
CREATE TABLE "seo_push_engines" (
	"site_id" text NOT NULL,
	"engine" text NOT NULL,
	"problem" text,
	"stopped" boolean DEFAULT false NOT NULL,
	"paused_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"remaining" integer,
	"remaining_on" date,
	"batch" integer,
	"lease_id" uuid,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "seo_push_engines_site_id_engine_pk" PRIMARY KEY("site_id","engine")
);
--> statement-breakpoint
CREATE TABLE "seo_push_ledger" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "seo_push_ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"site_id" text NOT NULL,
	"engine" text NOT NULL,
	"address" text NOT NULL,
	"host" text NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"status" integer,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "seo_push_ledger_state_known" CHECK ("seo_push_ledger"."state" in ('waiting', 'sent', 'refused', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "seo_push_settings" (
	"site_id" text PRIMARY KEY NOT NULL,
	"indexnow" boolean NOT NULL,
	"indexnow_key" text,
	"baidu" boolean NOT NULL,
	"baidu_site" text NOT NULL,
	"baidu_token" text,
	"automatic" boolean NOT NULL,
	"enabled_at" timestamp (3) with time zone,
	"scanned_at" timestamp (3) with time zone,
	"scan_queued_at" timestamp (3) with time zone
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
CREATE TABLE "seo_verifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"service" text NOT NULL,
	"method" text NOT NULL,
	"name" text NOT NULL,
	"content" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"delivered" boolean,
	"checked_at" timestamp (3) with time zone,
	CONSTRAINT "seo_verifications_method_known" CHECK ("seo_verifications"."method" in ('file', 'meta'))
);
--> statement-breakpoint
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
ALTER TABLE "country_rules" ADD CONSTRAINT "country_rules_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "country_rules" ADD CONSTRAINT "country_rules_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_checks" ADD CONSTRAINT "filing_checks_filing_id_filings_id_fk" FOREIGN KEY ("filing_id") REFERENCES "public"."filings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_events" ADD CONSTRAINT "filing_events_filing_id_filings_id_fk" FOREIGN KEY ("filing_id") REFERENCES "public"."filings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_events" ADD CONSTRAINT "filing_events_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_notices" ADD CONSTRAINT "filing_notices_filing_id_filings_id_fk" FOREIGN KEY ("filing_id") REFERENCES "public"."filings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filings" ADD CONSTRAINT "filings_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filings" ADD CONSTRAINT "filings_subject_id_filing_subjects_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."filing_subjects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filings" ADD CONSTRAINT "filings_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_glossaries" ADD CONSTRAINT "site_glossaries_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_glossaries" ADD CONSTRAINT "site_glossaries_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_engines" ADD CONSTRAINT "translation_engines_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_engines" ADD CONSTRAINT "translation_engines_updated_by_users_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_marks" ADD CONSTRAINT "translation_marks_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_marks" ADD CONSTRAINT "translation_marks_marked_by_users_id_fk" FOREIGN KEY ("marked_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_run_items" ADD CONSTRAINT "translation_run_items_run_fk" FOREIGN KEY ("run_id") REFERENCES "public"."translation_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_runs" ADD CONSTRAINT "translation_runs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "translation_runs" ADD CONSTRAINT "translation_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_page_hashes" ADD CONSTRAINT "seo_page_hashes_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_push_engines" ADD CONSTRAINT "seo_push_engines_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_push_ledger" ADD CONSTRAINT "seo_push_ledger_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_push_settings" ADD CONSTRAINT "seo_push_settings_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "not_found_paths" ADD CONSTRAINT "not_found_paths_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "redirect_hits" ADD CONSTRAINT "redirect_hits_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "robots_versions" ADD CONSTRAINT "robots_versions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "robots_versions" ADD CONSTRAINT "robots_versions_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_verifications" ADD CONSTRAINT "seo_verifications_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seo_verifications" ADD CONSTRAINT "seo_verifications_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_former_slugs" ADD CONSTRAINT "content_former_slugs_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "filing_events_filing_index" ON "filing_events" USING btree ("filing_id","at");--> statement-breakpoint
CREATE INDEX "filings_site_index" ON "filings" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "filings_number_index" ON "filings" USING btree ("number");--> statement-breakpoint
CREATE INDEX "filings_check_index" ON "filings" USING btree ("check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "filings_site_kind_number_key" ON "filings" USING btree ("site_id","kind","number") WHERE "filings"."number" <> '';--> statement-breakpoint
CREATE INDEX "translation_runs_site_index" ON "translation_runs" USING btree ("site_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "seo_push_ledger_waiting_key" ON "seo_push_ledger" USING btree ("site_id","engine","address") WHERE "seo_push_ledger"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "seo_push_ledger_site_index" ON "seo_push_ledger" USING btree ("site_id","id");--> statement-breakpoint
CREATE INDEX "seo_push_ledger_created_at_index" ON "seo_push_ledger" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "seo_verifications_file_key" ON "seo_verifications" USING btree ("site_id","name") WHERE "seo_verifications"."method" = 'file';--> statement-breakpoint
CREATE UNIQUE INDEX "seo_verifications_meta_key" ON "seo_verifications" USING btree ("site_id","name","content") WHERE "seo_verifications"."method" = 'meta';--> statement-breakpoint
CREATE INDEX "content_former_slugs_record_index" ON "content_former_slugs" USING btree ("table_id","record_id");--> statement-breakpoint
INSERT INTO filing_moves (kind, from_state, to_state) VALUES
('icp', 'incomplete', 'provider_review'),
('icp', 'incomplete', 'approved'),
('icp', 'incomplete', 'cancelled'),
('icp', 'provider_review', 'returned'),
('icp', 'provider_review', 'sms_check'),
('icp', 'provider_review', 'provider_accepted'),
('icp', 'provider_review', 'incomplete'),
('icp', 'returned', 'provider_review'),
('icp', 'returned', 'cancelled'),
('icp', 'sms_check', 'provider_accepted'),
('icp', 'sms_check', 'returned'),
('icp', 'provider_accepted', 'bureau_review'),
('icp', 'provider_accepted', 'returned'),
('icp', 'bureau_review', 'approved'),
('icp', 'bureau_review', 'refused'),
('icp', 'refused', 'provider_review'),
('icp', 'refused', 'incomplete'),
('icp', 'refused', 'cancelled'),
('icp', 'approved', 'changing'),
('icp', 'approved', 'cancelling'),
('icp', 'changing', 'approved'),
('icp', 'changing', 'refused'),
('icp', 'cancelling', 'cancelled'),
('icp', 'cancelling', 'approved'),
('icp', 'cancelled', 'incomplete'),
('mps', 'incomplete', 'bureau_review'),
('mps', 'incomplete', 'approved'),
('mps', 'incomplete', 'cancelled'),
('mps', 'returned', 'bureau_review'),
('mps', 'returned', 'cancelled'),
('mps', 'bureau_review', 'approved'),
('mps', 'bureau_review', 'returned'),
('mps', 'approved', 'changing'),
('mps', 'approved', 'cancelling'),
('mps', 'changing', 'approved'),
('mps', 'changing', 'returned'),
('mps', 'cancelling', 'cancelled'),
('mps', 'cancelling', 'approved'),
('mps', 'cancelled', 'incomplete');--> statement-breakpoint
CREATE FUNCTION filing_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> NEW.state THEN
    IF NOT EXISTS (SELECT FROM filing_moves m WHERE m.kind = CASE WHEN NEW.kind = 'mps' THEN 'mps' ELSE 'icp' END AND m.from_state = OLD.state AND m.to_state = NEW.state) THEN
      RAISE EXCEPTION 'a filing cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation', CONSTRAINT = 'filing_move_known';
    END IF;
  -- The site's and the program's own columns stay open: footer, checks, revision.
  ELSIF OLD.state = 'bureau_review' AND (OLD.kind, OLD.subject_id, OLD.service_name, OLD.number, OLD.province, OLD.domains, OLD.home_url, OLD.content_types, OLD.interactive, OLD.people_sealed)
      IS DISTINCT FROM (NEW.kind, NEW.subject_id, NEW.service_name, NEW.number, NEW.province, NEW.domains, NEW.home_url, NEW.content_types, NEW.interactive, NEW.people_sealed) THEN
    RAISE EXCEPTION 'a filing that is examined cannot be changed' USING ERRCODE = 'check_violation', CONSTRAINT = 'filing_locked';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER filings_guard BEFORE UPDATE ON filings FOR EACH ROW EXECUTE FUNCTION filing_guard();--> statement-breakpoint
CREATE FUNCTION filing_event_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Only the deletion of a person may take their name away.
  IF NEW.created_by IS NOT NULL OR (OLD.id, OLD.filing_id, OLD.from_state, OLD.to_state, OLD.note, OLD.at) IS DISTINCT FROM (NEW.id, NEW.filing_id, NEW.from_state, NEW.to_state, NEW.note, NEW.at) THEN
    RAISE EXCEPTION 'the history of a filing is not changed' USING ERRCODE = 'check_violation', CONSTRAINT = 'filing_event_immutable';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER filing_events_guard BEFORE UPDATE ON filing_events FOR EACH ROW EXECUTE FUNCTION filing_event_guard();
