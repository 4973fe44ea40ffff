ALTER TABLE "hostname_certificates" ADD COLUMN "renew_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "hostname_certificates" ADD COLUMN "window_read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "suspended_reason" text;