ALTER TABLE "content_batches" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "content_view_shares" ADD COLUMN "form" jsonb;--> statement-breakpoint
ALTER TABLE "content_view_shares" ADD COLUMN "answers" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "content_view_shares" ADD COLUMN "refused" integer DEFAULT 0 NOT NULL;