CREATE TABLE "support_agents" (
	"site_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"status" text DEFAULT 'available' NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"viewing" uuid,
	"typing_at" timestamp (3) with time zone,
	CONSTRAINT "support_agents_site_id_user_id_pk" PRIMARY KEY("site_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "support_blocks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"reason" text NOT NULL,
	"until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" uuid
);
--> statement-breakpoint
CREATE TABLE "support_canned" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"owner_id" uuid,
	"shortcut" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_conversations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"visitor_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"priority" text DEFAULT 'normal' NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"language" text DEFAULT '' NOT NULL,
	"assignee_id" uuid,
	"page" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"first_reply_at" timestamp (3) with time zone,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	"snoozed_until" timestamp (3) with time zone,
	"waiting_since" timestamp (3) with time zone,
	"last_message_at" timestamp (3) with time zone NOT NULL,
	"notify_at" timestamp (3) with time zone,
	"version" integer DEFAULT 0 NOT NULL,
	"change" bigint DEFAULT 0 NOT NULL,
	"messages" integer DEFAULT 0 NOT NULL,
	"unread" integer DEFAULT 0 NOT NULL,
	"agent_read_seq" integer DEFAULT 0 NOT NULL,
	"visitor_read_seq" integer DEFAULT 0 NOT NULL,
	"rating" smallint,
	"rating_comment" text DEFAULT '' NOT NULL,
	"merged_into" uuid,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "support_conversations_state_known" CHECK ("support_conversations"."state" in ('open', 'waiting', 'snoozed', 'resolved', 'spam')),
	CONSTRAINT "support_conversations_rating_range" CHECK ("support_conversations"."rating" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "support_counters" (
	"site_id" text PRIMARY KEY NOT NULL,
	"number" integer DEFAULT 0 NOT NULL,
	"change" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"conversation_id" uuid NOT NULL,
	"author" text NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"size" integer NOT NULL,
	"width" integer,
	"height" integer,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_messages" (
	"conversation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"version" integer NOT NULL,
	"site_id" text NOT NULL,
	"author" text NOT NULL,
	"kind" text NOT NULL,
	"body" text NOT NULL,
	"file_id" uuid,
	"event" text,
	"event_subject" text DEFAULT '' NOT NULL,
	"agent_id" uuid,
	"client_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "support_messages_conversation_id_seq_pk" PRIMARY KEY("conversation_id","seq")
);
--> statement-breakpoint
CREATE TABLE "support_settings" (
	"site_id" text PRIMARY KEY NOT NULL,
	"settings" jsonb,
	"webhook_secret" text,
	"paused_until" timestamp (3) with time zone,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "support_visitors" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"site_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"analytics_id" text,
	"name" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"wechat" text DEFAULT '' NOT NULL,
	"company" text DEFAULT '' NOT NULL,
	"custom" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"language" text DEFAULT '' NOT NULL,
	"country" text DEFAULT '' NOT NULL,
	"region" text DEFAULT '' NOT NULL,
	"city" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"address_truncated" boolean DEFAULT false NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"source" jsonb NOT NULL,
	"page" jsonb,
	"page_at" timestamp (3) with time zone,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "support_agents" ADD CONSTRAINT "support_agents_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_agents" ADD CONSTRAINT "support_agents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_blocks" ADD CONSTRAINT "support_blocks_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_blocks" ADD CONSTRAINT "support_blocks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_canned" ADD CONSTRAINT "support_canned_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_canned" ADD CONSTRAINT "support_canned_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_conversations" ADD CONSTRAINT "support_conversations_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_conversations" ADD CONSTRAINT "support_conversations_visitor_id_support_visitors_id_fk" FOREIGN KEY ("visitor_id") REFERENCES "public"."support_visitors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_conversations" ADD CONSTRAINT "support_conversations_assignee_id_users_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_conversations" ADD CONSTRAINT "support_conversations_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_counters" ADD CONSTRAINT "support_counters_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_files" ADD CONSTRAINT "support_files_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_files" ADD CONSTRAINT "support_files_conversation_id_support_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."support_conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_messages" ADD CONSTRAINT "support_messages_conversation_id_support_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."support_conversations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_messages" ADD CONSTRAINT "support_messages_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_messages" ADD CONSTRAINT "support_messages_file_id_support_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."support_files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_messages" ADD CONSTRAINT "support_messages_agent_id_users_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_settings" ADD CONSTRAINT "support_settings_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "support_visitors" ADD CONSTRAINT "support_visitors_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "support_agents_user_index" ON "support_agents" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_blocks_value_key" ON "support_blocks" USING btree ("site_id","kind","value");--> statement-breakpoint
CREATE UNIQUE INDEX "support_canned_site_key" ON "support_canned" USING btree ("site_id","shortcut") WHERE "support_canned"."owner_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "support_canned_own_key" ON "support_canned" USING btree ("site_id","owner_id","shortcut") WHERE "support_canned"."owner_id" is not null;--> statement-breakpoint
CREATE INDEX "support_canned_owner_index" ON "support_canned" USING btree ("owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_conversations_client_key" ON "support_conversations" USING btree ("visitor_id","client_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_conversations_number_key" ON "support_conversations" USING btree ("site_id","number");--> statement-breakpoint
CREATE INDEX "support_conversations_list_index" ON "support_conversations" USING btree ("site_id","state","last_message_at","id");--> statement-breakpoint
CREATE INDEX "support_conversations_change_index" ON "support_conversations" USING btree ("site_id","change");--> statement-breakpoint
CREATE INDEX "support_conversations_started_index" ON "support_conversations" USING btree ("site_id","started_at");--> statement-breakpoint
CREATE INDEX "support_conversations_unread_index" ON "support_conversations" USING btree ("site_id") WHERE "support_conversations"."unread" > 0;--> statement-breakpoint
CREATE INDEX "support_conversations_notify_index" ON "support_conversations" USING btree ("notify_at") WHERE "support_conversations"."notify_at" is not null;--> statement-breakpoint
CREATE INDEX "support_conversations_snoozed_index" ON "support_conversations" USING btree ("snoozed_until") WHERE "support_conversations"."snoozed_until" is not null;--> statement-breakpoint
CREATE INDEX "support_conversations_removed_index" ON "support_conversations" USING btree ("removed_at") WHERE "support_conversations"."removed_at" is not null;--> statement-breakpoint
CREATE INDEX "support_conversations_assignee_index" ON "support_conversations" USING btree ("assignee_id");--> statement-breakpoint
CREATE INDEX "support_files_conversation_index" ON "support_files" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "support_files_site_index" ON "support_files" USING btree ("site_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_messages_version_key" ON "support_messages" USING btree ("conversation_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "support_messages_client_key" ON "support_messages" USING btree ("conversation_id","author","client_id");--> statement-breakpoint
CREATE INDEX "support_messages_site_index" ON "support_messages" USING btree ("site_id","at");--> statement-breakpoint
CREATE INDEX "support_messages_agent_index" ON "support_messages" USING btree ("agent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_visitors_token_key" ON "support_visitors" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "support_visitors_site_index" ON "support_visitors" USING btree ("site_id","email");--> statement-breakpoint
CREATE INDEX "support_visitors_seen_index" ON "support_visitors" USING btree ("last_seen_at");