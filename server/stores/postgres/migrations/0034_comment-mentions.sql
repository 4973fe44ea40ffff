ALTER TABLE "notices" ADD COLUMN "actor_id" uuid;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "comment_id" uuid;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_comment_id_content_comments_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."content_comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notices_of_comment" ON "notices" USING btree ("comment_id");--> statement-breakpoint
CREATE INDEX "notices_of_actor" ON "notices" USING btree ("actor_id");