import type { Currency, Statement } from '../../../contract/trades/ledger';
import { fail, failField } from '../../http/failure';
import { addDays, dayCount, dayStart } from '../../zone';
import { ledgerZone } from './days';
import type { Db } from './queries';
import { customerOf, statementEvents } from './statementQueries';
import type { StatementEvent } from './statementQueries';

/** Three years and a day: the limit of one file. */
const mostDays = 1097;

/** The sums of a statement, from the opening balance and the events since. */
export function balance(
  opening: number,
  events: readonly StatementEvent[],
): Pick<Statement, 'opening' | 'charges' | 'payments' | 'refunds' | 'closing' | 'lines'> {
  let [charges, payments, refunds, closing] = [0, 0, 0, opening];
  const lines = events.map(({ at, amount, ...rest }) => {
    closing += amount;
    if (rest.kind === 'charge' || rest.kind === 'cancellation') charges += amount;
    else if (rest.kind === 'refund') refunds += amount;
    else payments -= amount;
    return { ...rest, at: at.toISOString(), amount, balance: closing };
  });
  return { opening, charges, payments, refunds, closing, lines };
}

/** Charges, payments and balance of one customer over a range of ledger days. Throws for an invalid range and for an unknown customer. */
export async function makeStatement(db: Db, customerId: string, currency: Currency, from: string, to: string): Promise<Statement> {
  if (to < from) failField('to', 'out_of_range');
  if (dayCount(from, to) > mostDays) fail('range_not_allowed');
  const customer = (await customerOf(db, customerId)) ?? fail('not_found');
  const { opening, events } = await statementEvents(
    db,
    customerId,
    currency,
    new Date(dayStart(from, ledgerZone)),
    new Date(dayStart(addDays(to, 1), ledgerZone)),
  );
  return { customer, currency, from, to, ...balance(opening, events) };
}
