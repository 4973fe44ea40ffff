ALTER TABLE "support_conversations" ADD COLUMN "notified_wait" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "support_conversations_waiting_index" ON "support_conversations" USING btree ("site_id","waiting_since") WHERE "support_conversations"."waiting_since" is not null and "support_conversations"."notified_wait" is distinct from "support_conversations"."waiting_since";--> statement-breakpoint
-- Written by hand. Waits that began before notices of them existed are not told of.
UPDATE "support_conversations" SET "notified_wait" = "waiting_since" WHERE "waiting_since" IS NOT NULL;
