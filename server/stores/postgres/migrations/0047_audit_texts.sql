-- Entries of the audit log repeated the messages of country rules and of maintenance, and so outlived the deletion of a language. Those of country rules name only its languages now, those of maintenance nothing of them.
ALTER TABLE "audit_log" DISABLE TRIGGER "audit_log_append_only";--> statement-breakpoint
UPDATE "audit_log" SET
	"before" = "before" - '{message,maintenanceMessage}'::text[],
	"after" = (coalesce("after", '{}') - '{message,maintenanceMessage}'::text[]) || jsonb_build_object('messageLanguages', (
		SELECT coalesce(jsonb_agg(tag ORDER BY tag), '[]')
		FROM jsonb_object_keys(coalesce("before" -> 'message', '{}') || coalesce("after" -> 'message', '{}')) tag
	))
WHERE "action" IN ('countryBlock.changed', 'site.changed') AND coalesce("before", '{}') || coalesce("after", '{}') ?| '{message,maintenanceMessage}'::text[];--> statement-breakpoint
ALTER TABLE "audit_log" ENABLE TRIGGER "audit_log_append_only";
