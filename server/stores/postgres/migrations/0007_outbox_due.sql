DROP INDEX "outbox_created_at_index";--> statement-breakpoint
DROP INDEX "outbox_due_index";--> statement-breakpoint
CREATE INDEX "outbox_contact_index" ON "outbox" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "outbox_due_index" ON "outbox" USING btree ("not_before") WHERE "outbox"."sent_at" is null and "outbox"."failed_at" is null;--> statement-breakpoint
ALTER TABLE "outbox" DROP COLUMN "options";