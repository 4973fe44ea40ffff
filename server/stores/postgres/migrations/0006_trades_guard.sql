-- The ways that contract/ledger.ts knows; a test compares the two.
INSERT INTO trade_moves (kind, from_state, to_state) VALUES
  ('order', 'draft', 'pending'),
  ('order', 'pending', 'cancelled'),
  ('order', 'pending', 'expired'),
  ('order', 'pending', 'paid'),
  ('order', 'paid', 'pending'),
  ('order', 'fulfilled', 'pending'),
  ('order', 'partly_refunded', 'pending'),
  ('order', 'refunding', 'pending'),
  ('order', 'pending', 'partly_refunded'),
  ('order', 'paid', 'fulfilled'),
  ('order', 'paid', 'refunding'),
  ('order', 'fulfilled', 'refunding'),
  ('order', 'refunding', 'paid'),
  ('order', 'refunding', 'fulfilled'),
  ('order', 'refunding', 'refunded'),
  ('order', 'refunding', 'partly_refunded'),
  ('order', 'partly_refunded', 'refunding'),
  ('payment', 'recorded', 'confirmed'),
  ('payment', 'recorded', 'failed'),
  ('payment', 'confirmed', 'reversed'),
  ('refund', 'requested', 'approved'),
  ('refund', 'requested', 'rejected'),
  ('refund', 'approved', 'done'),
  ('refund', 'approved', 'rejected'),
  ('invoice', 'requested', 'issuing'),
  ('invoice', 'requested', 'issued'),
  ('invoice', 'requested', 'rejected'),
  ('invoice', 'issuing', 'issued'),
  ('invoice', 'issuing', 'rejected'),
  ('invoice', 'issued', 'red');--> statement-breakpoint
CREATE FUNCTION trade_refuse(name text, words text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', words USING ERRCODE = 'check_violation', CONSTRAINT = name;
END $$;--> statement-breakpoint
CREATE FUNCTION trade_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM trade_refuse('trade_kept', format('nothing of %s is taken away', TG_TABLE_NAME));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION trade_move_known(thing text, old_state text, new_state text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF old_state <> new_state AND NOT EXISTS (SELECT FROM trade_moves m WHERE m.kind = thing AND m.from_state = old_state AND m.to_state = new_state) THEN
    PERFORM trade_refuse('trade_move_known', format('%s cannot go from %s to %s', thing, old_state, new_state));
  END IF;
END $$;--> statement-breakpoint
-- What was paid and confirmed, refunded, taken back from the charge, and asked to be refunded. All in minor units.
CREATE FUNCTION trade_sums(which uuid, OUT paid bigint, OUT refunded bigint, OUT waived bigint, OUT open_refunds bigint, OUT invoiced bigint) LANGUAGE sql AS $$
  SELECT
    (SELECT coalesce(sum(p.amount), 0)::bigint FROM trade_payments p WHERE p.order_id = which AND p.state = 'confirmed'),
    (SELECT coalesce(sum(r.amount), 0)::bigint FROM trade_refunds r WHERE r.order_id = which AND r.state = 'done'),
    (SELECT coalesce(sum(r.waived), 0)::bigint FROM trade_refunds r WHERE r.order_id = which AND r.state = 'done'),
    (SELECT count(*) FROM trade_refunds r WHERE r.order_id = which AND r.state IN ('requested', 'approved')),
    (SELECT coalesce(sum(o.amount), 0)::bigint FROM trade_invoice_orders o JOIN trade_invoices i ON i.id = o.invoice_id
      WHERE o.order_id = which AND i.state IN ('requested', 'issuing', 'issued'));
$$;--> statement-breakpoint
CREATE FUNCTION trade_order_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  items record;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.state <> 'draft' THEN
      PERFORM trade_refuse('trade_order_kept', 'only a draft can be deleted');
    END IF;
    RETURN OLD;
  END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'draft' THEN
      PERFORM trade_refuse('trade_move_known', 'an order begins as a draft');
    END IF;
    RETURN NEW;
  END IF;
  PERFORM trade_move_known('order', OLD.state, NEW.state);
  IF OLD.state <> 'draft' THEN
    IF (OLD.id, OLD.number, OLD.customer_id, OLD.kind, OLD.title, OLD.currency, OLD.subtotal, OLD.discount, OLD.tax, OLD.total, OLD.created_by, OLD.created_at, OLD.charged_at)
        IS DISTINCT FROM (NEW.id, NEW.number, NEW.customer_id, NEW.kind, NEW.title, NEW.currency, NEW.subtotal, NEW.discount, NEW.tax, NEW.total, NEW.created_by, NEW.created_at, NEW.charged_at)
      OR (OLD.period_from, OLD.period_to, OLD.renewal_note, OLD.due_at, OLD.renews_id) IS DISTINCT FROM (NEW.period_from, NEW.period_to, NEW.renewal_note, NEW.due_at, NEW.renews_id)
      OR (NEW.site_id IS DISTINCT FROM OLD.site_id AND NEW.site_id IS NOT NULL)
      OR (OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at) THEN
      PERFORM trade_refuse('trade_order_immutable', 'what has left the draft cannot be changed');
    END IF;
  ELSIF NEW.state <> 'draft' THEN
    SELECT count(*) AS lines, coalesce(sum(i.amount + i.discount), 0) AS subtotal, coalesce(sum(i.discount), 0) AS discount, coalesce(sum(i.tax), 0) AS tax
      INTO items FROM trade_order_items i WHERE i.order_id = NEW.id;
    IF items.lines = 0 OR (items.subtotal, items.discount, items.tax) IS DISTINCT FROM (NEW.subtotal::numeric, NEW.discount::numeric, NEW.tax::numeric) THEN
      PERFORM trade_refuse('trade_order_sums', 'the sums of an order are those of its lines');
    END IF;
  END IF;
  IF NEW.state <> OLD.state AND NEW.state IN ('cancelled', 'expired')
    AND EXISTS (SELECT FROM trade_payments p WHERE p.order_id = NEW.id AND p.state IN ('recorded', 'confirmed')) THEN
    PERFORM trade_refuse('trade_order_unpaid', 'an order with payments cannot end');
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER trade_orders_guard BEFORE INSERT OR UPDATE OR DELETE ON trade_orders FOR EACH ROW EXECUTE FUNCTION trade_order_guard();--> statement-breakpoint
CREATE FUNCTION trade_item_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A draft that is deleted takes its lines along: by then there is no order to be found.
  IF EXISTS (SELECT FROM trade_orders o
      WHERE o.id IN (CASE WHEN TG_OP <> 'INSERT' THEN OLD.order_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.order_id END) AND o.state <> 'draft') THEN
    PERFORM trade_refuse('trade_order_immutable', 'lines of what has left the draft cannot be changed');
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;--> statement-breakpoint
CREATE TRIGGER trade_order_items_guard BEFORE INSERT OR UPDATE OR DELETE ON trade_order_items FOR EACH ROW EXECUTE FUNCTION trade_item_guard();--> statement-breakpoint
CREATE FUNCTION trade_payment_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  order_state text;
  sums record;
BEGIN
  SELECT o.state INTO order_state FROM trade_orders o WHERE o.id = NEW.order_id FOR UPDATE;
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'recorded' THEN
      PERFORM trade_refuse('trade_move_known', 'a payment begins as recorded');
    END IF;
    IF order_state <> 'pending' THEN
      PERFORM trade_refuse('trade_payment_awaited', 'only an order that waits for payment can be paid');
    END IF;
    RETURN NEW;
  END IF;
  PERFORM trade_move_known('payment', OLD.state, NEW.state);
  IF (OLD.id, OLD.order_id, OLD.method, OLD.amount, OLD.paid_at, OLD.reference, OLD.file_id, OLD.created_by, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.order_id, NEW.method, NEW.amount, NEW.paid_at, NEW.reference, NEW.file_id, NEW.created_by, NEW.created_at)
    OR (OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at) THEN
    PERFORM trade_refuse('trade_payment_immutable', 'a payment cannot be changed');
  END IF;
  IF OLD.state <> NEW.state AND NEW.state = 'confirmed' AND order_state NOT IN ('pending', 'paid', 'fulfilled', 'refunding', 'partly_refunded') THEN
    PERFORM trade_refuse('trade_payment_awaited', 'an order that has ended cannot be paid');
  END IF;
  IF OLD.state = 'confirmed' AND NEW.state = 'reversed' THEN
    IF EXISTS (SELECT FROM trade_refunds r WHERE r.payment_id = NEW.id AND r.state <> 'rejected') THEN
      PERFORM trade_refuse('trade_refund_within', 'a payment with refunds cannot be reversed');
    END IF;
    SELECT * INTO sums FROM trade_sums(NEW.order_id);
    IF sums.invoiced > sums.paid - NEW.amount - sums.refunded THEN
      PERFORM trade_refuse('trade_invoice_within', 'invoices cover what would be reversed');
    END IF;
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER trade_payments_guard BEFORE INSERT OR UPDATE ON trade_payments FOR EACH ROW EXECUTE FUNCTION trade_payment_guard();--> statement-breakpoint
CREATE TRIGGER trade_payments_keep BEFORE DELETE ON trade_payments FOR EACH ROW EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE FUNCTION trade_refund_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  trade_order record;
  payment record;
  sums record;
  taken bigint;
BEGIN
  SELECT o.state, o.total INTO trade_order FROM trade_orders o WHERE o.id = NEW.order_id FOR UPDATE;
  SELECT p.order_id, p.state, p.amount INTO payment FROM trade_payments p WHERE p.id = NEW.payment_id FOR UPDATE;
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'requested' THEN
      PERFORM trade_refuse('trade_move_known', 'a refund begins as requested');
    END IF;
    IF payment.order_id <> NEW.order_id OR payment.state <> 'confirmed' OR trade_order.state NOT IN ('paid', 'fulfilled', 'refunding', 'partly_refunded') THEN
      PERFORM trade_refuse('trade_refund_of_payment', 'only a confirmed payment of a paid order can be refunded');
    END IF;
    SELECT coalesce(sum(r.amount), 0) INTO taken FROM trade_refunds r WHERE r.payment_id = NEW.payment_id AND r.state <> 'rejected';
    IF taken + NEW.amount > payment.amount THEN
      PERFORM trade_refuse('trade_refund_within', 'refunds cannot be more than their payment');
    END IF;
    RETURN NEW;
  END IF;
  PERFORM trade_move_known('refund', OLD.state, NEW.state);
  IF (OLD.id, OLD.order_id, OLD.payment_id, OLD.amount, OLD.reason, OLD.created_by, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.order_id, NEW.payment_id, NEW.amount, NEW.reason, NEW.created_by, NEW.created_at)
    OR (OLD.state = 'done' AND (OLD.waived, OLD.done_at) IS DISTINCT FROM (NEW.waived, NEW.done_at)) THEN
    PERFORM trade_refuse('trade_refund_immutable', 'a refund cannot be changed');
  END IF;
  IF OLD.state <> 'done' AND NEW.state = 'done' THEN
    SELECT * INTO sums FROM trade_sums(NEW.order_id);
    IF sums.invoiced > sums.paid - sums.refunded - NEW.amount THEN
      PERFORM trade_refuse('trade_invoice_within', 'invoices cover what would be refunded');
    END IF;
    -- What had been paid beyond the total goes back first; only the rest takes the charge back.
    IF NEW.waived <> greatest(0, NEW.amount - greatest(0, sums.paid - sums.refunded - (trade_order.total - sums.waived))) THEN
      PERFORM trade_refuse('trade_refund_waived', 'a refund takes back from the charge what was not paid beyond it');
    END IF;
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER trade_refunds_guard BEFORE INSERT OR UPDATE ON trade_refunds FOR EACH ROW EXECUTE FUNCTION trade_refund_guard();--> statement-breakpoint
CREATE TRIGGER trade_refunds_keep BEFORE DELETE ON trade_refunds FOR EACH ROW EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE FUNCTION trade_invoice_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'requested' THEN
      PERFORM trade_refuse('trade_move_known', 'an invoice begins as requested');
    END IF;
    RETURN NEW;
  END IF;
  PERFORM trade_move_known('invoice', OLD.state, NEW.state);
  IF (OLD.id, OLD.customer_id, OLD.type, OLD.title_type, OLD.title, OLD.tax_number, OLD.address, OLD.phone, OLD.bank, OLD.account, OLD.email, OLD.amount, OLD.currency, OLD.created_by, OLD.created_at)
      IS DISTINCT FROM (NEW.id, NEW.customer_id, NEW.type, NEW.title_type, NEW.title, NEW.tax_number, NEW.address, NEW.phone, NEW.bank, NEW.account, NEW.email, NEW.amount, NEW.currency, NEW.created_by, NEW.created_at)
    OR (OLD.issued_at IS NOT NULL AND (OLD.number, OLD.issued_at, OLD.file_id) IS DISTINCT FROM (NEW.number, NEW.issued_at, NEW.file_id))
    OR (OLD.state IN ('red', 'rejected') AND (OLD.red_number, OLD.red_reason, OLD.reason) IS DISTINCT FROM (NEW.red_number, NEW.red_reason, NEW.reason)) THEN
    PERFORM trade_refuse('trade_invoice_immutable', 'an invoice cannot be changed');
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER trade_invoices_guard BEFORE INSERT OR UPDATE ON trade_invoices FOR EACH ROW EXECUTE FUNCTION trade_invoice_guard();--> statement-breakpoint
CREATE TRIGGER trade_invoices_keep BEFORE DELETE ON trade_invoices FOR EACH ROW EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE FUNCTION trade_invoice_order_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  trade_order record;
  invoice record;
  sums record;
BEGIN
  SELECT o.state, o.customer_id, o.currency, o.total INTO trade_order FROM trade_orders o WHERE o.id = NEW.order_id FOR UPDATE;
  SELECT i.state, i.customer_id, i.currency INTO invoice FROM trade_invoices i WHERE i.id = NEW.invoice_id FOR UPDATE;
  IF invoice.state <> 'requested' OR (trade_order.customer_id, trade_order.currency) IS DISTINCT FROM (invoice.customer_id, invoice.currency)
    OR trade_order.state NOT IN ('paid', 'fulfilled', 'partly_refunded') THEN
    PERFORM trade_refuse('trade_invoice_of_order', 'an invoice covers paid orders of one customer in one currency');
  END IF;
  SELECT * INTO sums FROM trade_sums(NEW.order_id);
  IF sums.invoiced + NEW.amount > least(sums.paid - sums.refunded, trade_order.total - sums.waived) THEN
    PERFORM trade_refuse('trade_invoice_within', 'invoices cannot be more than what was paid and kept');
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER trade_invoice_orders_guard BEFORE INSERT ON trade_invoice_orders FOR EACH ROW EXECUTE FUNCTION trade_invoice_order_guard();--> statement-breakpoint
CREATE TRIGGER trade_invoice_orders_keep BEFORE UPDATE OR DELETE ON trade_invoice_orders FOR EACH ROW EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE FUNCTION trade_invoice_whole() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.amount IS DISTINCT FROM (SELECT sum(o.amount) FROM trade_invoice_orders o WHERE o.invoice_id = NEW.id) THEN
    PERFORM trade_refuse('trade_invoice_sum', 'an invoice is the sum of what it covers');
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER trade_invoices_whole AFTER INSERT ON trade_invoices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION trade_invoice_whole();--> statement-breakpoint
-- At the end of a transaction the state of an order is what its payments and refunds make of it.
CREATE FUNCTION trade_order_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  which uuid := CASE WHEN TG_TABLE_NAME = 'trade_orders' THEN (to_jsonb(NEW)->>'id')::uuid ELSE (to_jsonb(NEW)->>'order_id')::uuid END;
  trade_order record;
  sums record;
  expected text;
BEGIN
  SELECT o.state, o.total, o.fulfilled_at INTO trade_order FROM trade_orders o WHERE o.id = which;
  IF NOT FOUND OR trade_order.state IN ('draft', 'cancelled', 'expired') THEN
    RETURN NULL;
  END IF;
  SELECT * INTO sums FROM trade_sums(which);
  expected := CASE
    WHEN sums.open_refunds > 0 THEN 'refunding'
    WHEN sums.paid - sums.refunded < trade_order.total - sums.waived THEN 'pending'
    WHEN sums.waived > 0 AND sums.waived >= trade_order.total THEN 'refunded'
    WHEN sums.waived > 0 THEN 'partly_refunded'
    WHEN trade_order.fulfilled_at IS NOT NULL THEN 'fulfilled'
    ELSE 'paid'
  END;
  IF trade_order.state <> expected THEN
    PERFORM trade_refuse('trade_order_follows', format('payments and refunds make this order %s, not %s', expected, trade_order.state));
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER trade_orders_follow AFTER INSERT OR UPDATE ON trade_orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION trade_order_follows();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER trade_payments_follow AFTER INSERT OR UPDATE ON trade_payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION trade_order_follows();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER trade_refunds_follow AFTER INSERT OR UPDATE ON trade_refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION trade_order_follows();--> statement-breakpoint
CREATE FUNCTION trade_history_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM trade_orders o WHERE o.id = OLD.order_id) THEN
    RETURN OLD;
  END IF;
  PERFORM trade_refuse('trade_kept', 'the history of an order is append-only');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER trade_history_guard BEFORE UPDATE OR DELETE ON trade_history FOR EACH ROW EXECUTE FUNCTION trade_history_guard();--> statement-breakpoint
CREATE FUNCTION trade_file_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM trade_refuse('trade_kept', 'a file cannot be changed');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER trade_files_guard BEFORE UPDATE ON trade_files FOR EACH ROW EXECUTE FUNCTION trade_file_guard();--> statement-breakpoint
CREATE TRIGGER trade_orders_no_truncate BEFORE TRUNCATE ON trade_orders FOR EACH STATEMENT EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE TRIGGER trade_order_items_no_truncate BEFORE TRUNCATE ON trade_order_items FOR EACH STATEMENT EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE TRIGGER trade_payments_no_truncate BEFORE TRUNCATE ON trade_payments FOR EACH STATEMENT EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE TRIGGER trade_refunds_no_truncate BEFORE TRUNCATE ON trade_refunds FOR EACH STATEMENT EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE TRIGGER trade_invoices_no_truncate BEFORE TRUNCATE ON trade_invoices FOR EACH STATEMENT EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE TRIGGER trade_invoice_orders_no_truncate BEFORE TRUNCATE ON trade_invoice_orders FOR EACH STATEMENT EXECUTE FUNCTION trade_keep();--> statement-breakpoint
CREATE TRIGGER trade_history_no_truncate BEFORE TRUNCATE ON trade_history FOR EACH STATEMENT EXECUTE FUNCTION trade_keep();