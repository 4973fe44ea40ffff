ALTER TABLE "contact_links" DROP COLUMN "kind";--> statement-breakpoint
ALTER TABLE "contact_links" DROP COLUMN "topic";--> statement-breakpoint
ALTER TABLE "contact_links" DROP COLUMN "used_at";