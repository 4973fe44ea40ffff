CREATE TABLE "trade_files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"bytes" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trade_files_size" CHECK ("trade_files"."bytes" = octet_length("trade_files"."content") and "trade_files"."bytes" between 1 and 2097152)
);
--> statement-breakpoint
CREATE TABLE "trade_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "trade_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"from_state" text,
	"to_state" text NOT NULL,
	"by_id" uuid,
	"by_name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trade_invoice_orders" (
	"invoice_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "trade_invoice_orders_invoice_id_order_id_pk" PRIMARY KEY("invoice_id","order_id"),
	CONSTRAINT "trade_invoice_orders_amount" CHECK ("trade_invoice_orders"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "trade_invoices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"customer_id" uuid NOT NULL,
	"type" text NOT NULL,
	"title_type" text NOT NULL,
	"title" text NOT NULL,
	"tax_number" text,
	"address" text NOT NULL,
	"phone" text NOT NULL,
	"bank" text NOT NULL,
	"account" text NOT NULL,
	"email" text,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"number" text DEFAULT '' NOT NULL,
	"red_number" text DEFAULT '' NOT NULL,
	"red_reason" text,
	"reason" text DEFAULT '' NOT NULL,
	"file_id" uuid,
	"issued_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "trade_invoices_amount" CHECK ("trade_invoices"."amount" > 0),
	CONSTRAINT "trade_invoices_company" CHECK ("trade_invoices"."title_type" <> 'company' or "trade_invoices"."tax_number" is not null),
	CONSTRAINT "trade_invoices_special" CHECK ("trade_invoices"."type" <> 'special' or ("trade_invoices"."tax_number" is not null and "trade_invoices"."address" <> '' and "trade_invoices"."phone" <> '' and "trade_invoices"."bank" <> '' and "trade_invoices"."account" <> '')),
	CONSTRAINT "trade_invoices_issued" CHECK (("trade_invoices"."state" in ('issued', 'red')) = ("trade_invoices"."issued_at" is not null and "trade_invoices"."number" <> '')),
	CONSTRAINT "trade_invoices_red" CHECK (("trade_invoices"."state" = 'red') = ("trade_invoices"."red_reason" is not null))
);
--> statement-breakpoint
CREATE TABLE "trade_moves" (
	"kind" text NOT NULL,
	"from_state" text NOT NULL,
	"to_state" text NOT NULL,
	CONSTRAINT "trade_moves_kind_from_state_to_state_pk" PRIMARY KEY("kind","from_state","to_state")
);
--> statement-breakpoint
CREATE TABLE "trade_notices" (
	"order_id" uuid NOT NULL,
	"days" integer NOT NULL,
	"sent_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trade_notices_order_id_days_pk" PRIMARY KEY("order_id","days")
);
--> statement-breakpoint
CREATE TABLE "trade_numbers" (
	"day" date PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trade_order_items" (
	"order_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"quantity" numeric(10, 3) NOT NULL,
	"unit_price" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax_rate" integer NOT NULL,
	"amount" bigint NOT NULL,
	"tax" bigint NOT NULL,
	CONSTRAINT "trade_order_items_order_id_position_pk" PRIMARY KEY("order_id","position"),
	CONSTRAINT "trade_order_items_positive" CHECK ("trade_order_items"."quantity" > 0 and "trade_order_items"."unit_price" >= 0 and "trade_order_items"."discount" >= 0 and "trade_order_items"."tax_rate" between 0 and 10000),
	CONSTRAINT "trade_order_items_amount" CHECK ("trade_order_items"."amount" >= 0 and "trade_order_items"."amount" = round("trade_order_items"."quantity" * "trade_order_items"."unit_price") - "trade_order_items"."discount"),
	CONSTRAINT "trade_order_items_tax" CHECK ("trade_order_items"."tax" = round("trade_order_items"."amount"::numeric * "trade_order_items"."tax_rate" / 10000))
);
--> statement-breakpoint
CREATE TABLE "trade_orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" text NOT NULL,
	"customer_id" uuid NOT NULL,
	"site_id" text,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"currency" text NOT NULL,
	"subtotal" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"total" bigint NOT NULL,
	"period_from" date,
	"period_to" date,
	"renewal_note" text NOT NULL,
	"due_at" date,
	"state" text DEFAULT 'draft' NOT NULL,
	"note" text NOT NULL,
	"memo" text NOT NULL,
	"renews_id" uuid,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"charged_at" timestamp (3) with time zone,
	"fulfilled_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "trade_orders_amounts" CHECK ("trade_orders"."subtotal" >= 0 and "trade_orders"."discount" >= 0 and "trade_orders"."tax" >= 0 and "trade_orders"."total" between 0 and 1000000000000),
	CONSTRAINT "trade_orders_total" CHECK ("trade_orders"."total" = "trade_orders"."subtotal" - "trade_orders"."discount" + "trade_orders"."tax"),
	CONSTRAINT "trade_orders_period" CHECK (("trade_orders"."period_from" is null) = ("trade_orders"."period_to" is null) and "trade_orders"."period_from" <= "trade_orders"."period_to"),
	CONSTRAINT "trade_orders_currency" CHECK ("trade_orders"."currency" in ('CNY', 'USD', 'EUR', 'HKD', 'JPY', 'GBP', 'TWD', 'SGD')),
	CONSTRAINT "trade_orders_charged" CHECK (("trade_orders"."state" = 'draft') = ("trade_orders"."charged_at" is null)),
	CONSTRAINT "trade_orders_ended" CHECK (("trade_orders"."state" in ('cancelled', 'expired')) = ("trade_orders"."ended_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "trade_payments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"method" text NOT NULL,
	"amount" bigint NOT NULL,
	"paid_at" date NOT NULL,
	"reference" text NOT NULL,
	"file_id" uuid,
	"state" text DEFAULT 'recorded' NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"reversed_at" timestamp (3) with time zone,
	CONSTRAINT "trade_payments_amount" CHECK ("trade_payments"."amount" between 1 and 1000000000000),
	CONSTRAINT "trade_payments_confirmed" CHECK (("trade_payments"."state" in ('confirmed', 'reversed')) = ("trade_payments"."confirmed_at" is not null)),
	CONSTRAINT "trade_payments_reversed" CHECK (("trade_payments"."state" = 'reversed') = ("trade_payments"."reversed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "trade_refunds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"waived" bigint DEFAULT 0 NOT NULL,
	"reason" text NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "trade_refunds_amount" CHECK ("trade_refunds"."amount" between 1 and 1000000000000 and "trade_refunds"."waived" between 0 and "trade_refunds"."amount"),
	CONSTRAINT "trade_refunds_done" CHECK (("trade_refunds"."state" = 'done') = ("trade_refunds"."done_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "trade_titles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"title_type" text NOT NULL,
	"title" text NOT NULL,
	"tax_number" text,
	"address" text NOT NULL,
	"phone" text NOT NULL,
	"bank" text NOT NULL,
	"account" text NOT NULL,
	"email" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "trade_history" ADD CONSTRAINT "trade_history_order_id_trade_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."trade_orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_history" ADD CONSTRAINT "trade_history_by_id_users_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_invoice_orders" ADD CONSTRAINT "trade_invoice_orders_invoice_id_trade_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."trade_invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_invoice_orders" ADD CONSTRAINT "trade_invoice_orders_order_id_trade_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."trade_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_invoices" ADD CONSTRAINT "trade_invoices_customer_id_users_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_invoices" ADD CONSTRAINT "trade_invoices_file_id_trade_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."trade_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_invoices" ADD CONSTRAINT "trade_invoices_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_notices" ADD CONSTRAINT "trade_notices_order_id_trade_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."trade_orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_order_items" ADD CONSTRAINT "trade_order_items_order_id_trade_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."trade_orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_orders" ADD CONSTRAINT "trade_orders_customer_id_users_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_orders" ADD CONSTRAINT "trade_orders_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_orders" ADD CONSTRAINT "trade_orders_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_payments" ADD CONSTRAINT "trade_payments_order_id_trade_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."trade_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_payments" ADD CONSTRAINT "trade_payments_file_id_trade_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."trade_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_payments" ADD CONSTRAINT "trade_payments_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_refunds" ADD CONSTRAINT "trade_refunds_order_id_trade_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."trade_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_refunds" ADD CONSTRAINT "trade_refunds_payment_id_trade_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."trade_payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_refunds" ADD CONSTRAINT "trade_refunds_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trade_titles" ADD CONSTRAINT "trade_titles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trade_history_order_index" ON "trade_history" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "trade_invoice_orders_order_index" ON "trade_invoice_orders" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "trade_invoices_number_key" ON "trade_invoices" USING btree ("number") WHERE "trade_invoices"."number" <> '';--> statement-breakpoint
CREATE INDEX "trade_invoices_customer_index" ON "trade_invoices" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "trade_orders_number_key" ON "trade_orders" USING btree ("number");--> statement-breakpoint
CREATE UNIQUE INDEX "trade_orders_renews_key" ON "trade_orders" USING btree ("renews_id") WHERE "trade_orders"."state" not in ('cancelled', 'expired');--> statement-breakpoint
CREATE INDEX "trade_orders_customer_index" ON "trade_orders" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "trade_orders_created_at_index" ON "trade_orders" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "trade_orders_site_index" ON "trade_orders" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "trade_orders_period_index" ON "trade_orders" USING btree ("period_to");--> statement-breakpoint
CREATE INDEX "trade_payments_order_index" ON "trade_payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "trade_payments_reference_index" ON "trade_payments" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "trade_refunds_order_index" ON "trade_refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "trade_refunds_payment_index" ON "trade_refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "trade_titles_key" ON "trade_titles" USING btree ("user_id","title_type","title",coalesce("tax_number", ''));