ALTER TABLE "hostnames" ADD COLUMN "tls_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hostnames" ADD COLUMN "tls_next_at" timestamp (3) with time zone;