import type { z } from 'zod';
import { signInFactors } from '../../../contract/account/factors';
import type { SignInRecord } from '../../../contract/account/factors';
import { deviceTextOf, placeTextOf } from '../../collect/classify';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { entriesOfPerson } from '../audit';

const shownFor = 90 * 24 * 3_600_000;
const actions = ['sign.in', 'sign.second', 'sign.set_up', 'person.joined'] as const;

type Entry = Awaited<ReturnType<typeof entriesOfPerson>>['rows'][number];
type Factor = z.infer<typeof SignInRecord>['factor'];

const isFactor = (value: unknown): value is Factor => (signInFactors as readonly unknown[]).includes(value);

function factorOf({ action, after }: Entry): Factor {
  if (action === 'sign.set_up') return 'set_up';
  if (action === 'person.joined') return 'invite';
  return isFactor(after?.['factor']) ? after['factor'] : 'password';
}

function resultOf({ result }: Entry, factor: Factor): z.infer<typeof SignInRecord>['result'] {
  if (result === 'done') return 'done';
  if (result === 'refused') return 'locked';
  return factor === 'password' ? 'bad_credentials' : 'bad_code';
}

/** Sign-in attempts for a person's own account in the last 90 days, newest first, read from the audit log. */
export async function signInsOf(ctx: Context, userId: string, { page, size }: { page: number; size: number }, locale: Locale) {
  const { rows, total } = await entriesOfPerson(ctx.postgres.db, userId, { actions, since: new Date(ctx.now() - shownFor), page, size });
  const records = rows.map((row): z.input<typeof SignInRecord> => {
    const factor = factorOf(row);
    return {
      id: String(row.id),
      at: row.at.toISOString(),
      result: resultOf(row, factor),
      factor,
      address: row.address,
      place: placeTextOf(row.address, locale),
      device: deviceTextOf(row.userAgent),
    };
  });
  return { rows: records, total };
}
