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
ALTER TABLE "filing_checks" ADD CONSTRAINT "filing_checks_filing_id_filings_id_fk" FOREIGN KEY ("filing_id") REFERENCES "public"."filings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_events" ADD CONSTRAINT "filing_events_filing_id_filings_id_fk" FOREIGN KEY ("filing_id") REFERENCES "public"."filings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_events" ADD CONSTRAINT "filing_events_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filing_notices" ADD CONSTRAINT "filing_notices_filing_id_filings_id_fk" FOREIGN KEY ("filing_id") REFERENCES "public"."filings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filings" ADD CONSTRAINT "filings_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filings" ADD CONSTRAINT "filings_subject_id_filing_subjects_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."filing_subjects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "filings" ADD CONSTRAINT "filings_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "filing_events_filing_index" ON "filing_events" USING btree ("filing_id","at");--> statement-breakpoint
CREATE INDEX "filings_site_index" ON "filings" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "filings_number_index" ON "filings" USING btree ("number");--> statement-breakpoint
CREATE INDEX "filings_check_index" ON "filings" USING btree ("check_at");--> statement-breakpoint
CREATE UNIQUE INDEX "filings_site_kind_number_key" ON "filings" USING btree ("site_id","kind","number") WHERE "filings"."number" <> '';--> statement-breakpoint
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
