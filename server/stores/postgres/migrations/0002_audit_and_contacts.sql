-- The audit log is append-only: whoever holds the database connection may add, and take away only what is older than 400 days.
CREATE FUNCTION audit_log_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.at < now() - interval '400 days' THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_guard();--> statement-breakpoint
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_guard();--> statement-breakpoint
-- Topics were told by mail alone; now each has its channels.
UPDATE contacts SET subscriptions = (SELECT coalesce(jsonb_object_agg(topic, '["mail"]'::jsonb), '{}'::jsonb) FROM unnest(topics) AS topic);
