-- Entries of the audit log repeated messages of country rules and of maintenance, which therefore outlived the deletion of their language. Now entries about country rules name only the languages of
-- their messages; those about maintenance, which did not say the language, name none.
ALTER TABLE "audit_log" DISABLE TRIGGER "audit_log_append_only";--> statement-breakpoint
UPDATE "audit_log" SET
	"before" = "before" - '{message,maintenanceMessage}'::text[],
	"after" = (coalesce("after", '{}') - '{message,maintenanceMessage}'::text[]) || jsonb_build_object('messageLanguages', (
		SELECT coalesce(jsonb_agg(tag ORDER BY tag), '[]')
		FROM jsonb_object_keys(coalesce("before" -> 'message', '{}') || coalesce("after" -> 'message', '{}')) tag
	))
WHERE "action" IN ('countryBlock.changed', 'site.changed') AND coalesce("before", '{}') || coalesce("after", '{}') ?| '{message,maintenanceMessage}'::text[];--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE TRIGGER "audit_log_append_only";
