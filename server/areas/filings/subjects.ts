import type { z } from 'zod';
import { isCreditCode, isIdentityNumber, maskedIdentity } from '../../../contract/filings/identity';
import { normalizeNumber } from '../../../contract/filings/numbers';
import type { filingEndpoints as endpoints, Subject } from '../../../contract/filings/schemas';
import { filingLimits } from '../../../contract/filings/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { violatesForeignKey } from '../../stores/postgres/conflict';
import { actorOf, record } from '../audit';
import * as queries from './queries';
import type { CountedSubject, SubjectRow } from './queries';

type Input = CallOf<typeof endpoints.addFilingSubject>['body'];

const responseOf = ({ row, filings, active }: CountedSubject): z.input<typeof Subject> => {
  const { id, nature, name, certificateKind, certificateMasked, certificateExpires, province, mainNumber, provider, notes, revision } = row;
  return { id, nature, name, certificateKind, certificateMasked, certificateExpires, province, mainNumber, provider, notes, revision, filings, active };
};
const about = (id: string, { name }: Pick<SubjectRow, 'name'>) => ({ target: { kind: 'filing_subject', id, name } });
const find = async (ctx: Context, id: string): Promise<CountedSubject> => (await queries.findSubject(ctx.postgres.db, id)) ?? fail('not_found');

/** Columns of the certificate; none if the stored one stays. Throws `invalid_fields` for a wrong check digit. */
function certificateOf(
  ctx: Context,
  { certificateKind, certificateNumber: number }: Input,
): Partial<Pick<SubjectRow, 'certificateSealed' | 'certificateMasked'>> {
  if (number === null) return {};
  if (number === '') return { certificateSealed: null, certificateMasked: '' };
  if (certificateKind === 'credit_code' && !isCreditCode(number)) failField('certificateNumber', 'not_a_credit_code');
  if (certificateKind === 'identity_card' && !isIdentityNumber(number)) failField('certificateNumber', 'not_an_identity_number');
  return { certificateSealed: ctx.secrets.seal('filing certificate', number), certificateMasked: maskedIdentity(number) };
}

/** `京ICP备12345678号`: with a suffix it would be the number of a site. */
function mainNumberOf(text: string): string {
  const number = normalizeNumber(text);
  return number === '' || /^.ICP备(?:\d{8}|\d{10})号$/.test(number) ? number : failField('mainNumber', 'icp_format');
}

const columnsOf = (ctx: Context, input: Input) => {
  const { certificateNumber: _number, ...columns } = input;
  return { ...columns, mainNumber: mainNumberOf(input.mainNumber), ...certificateOf(ctx, input) };
};

export async function listSubjects(ctx: Context, { query }: CallOf<typeof endpoints.filingSubjects>): Promise<ResponseOf<typeof endpoints.filingSubjects>> {
  const { db } = ctx.postgres;
  const [rows, total] = await Promise.all([queries.subjectsOf(db, query), queries.countSubjects(db)]);
  return { rows: rows.map(responseOf), total };
}

/** Throws `conflict` at the maximum number of subjects. */
export async function addSubject(ctx: Context, call: CallOf<typeof endpoints.addFilingSubject>): Promise<z.input<typeof Subject>> {
  const columns = columnsOf(ctx, call.body);
  const id = await ctx.postgres.db.transaction(async (tx) => {
    if ((await queries.countSubjects(tx)) >= filingLimits.subjects) fail('conflict');
    const added = await queries.insertSubject(tx, { ...columns, createdAt: new Date(ctx.now()) });
    await record(ctx, tx, actorOf(call), { action: 'filing.subject_added', ...about(added, columns) });
    return added;
  });
  return responseOf(await find(ctx, id));
}

/** What is filed about a subject. The number of a certificate is compared by its masked form, because it is sealed. */
const filed = ['nature', 'name', 'certificateKind', 'certificateMasked', 'certificateExpires', 'province'] as const;
const differsFrom = (before: SubjectRow, next: Partial<SubjectRow>): boolean => filed.some((key) => next[key] !== undefined && next[key] !== before[key]);

/** Throws `stale_revision`. */
export async function changeSubject(ctx: Context, call: CallOf<typeof endpoints.changeFilingSubject>): Promise<z.input<typeof Subject>> {
  const { params, body } = call;
  const revision = call.ifMatch();
  const columns = columnsOf(ctx, body);
  const { row: before } = await find(ctx, params.id);
  const changed: { siteId: string }[] = [];
  const written = await ctx.postgres.db.transaction(async (tx) => {
    if (!(await queries.updateSubject(tx, params.id, revision, columns))) return false;
    if (differsFrom(before, columns)) changed.push(...(await queries.markChangedOf(tx, params.id, new Date(ctx.now()))));
    await record(ctx, tx, actorOf(call), { action: 'filing.subject_changed', ...about(params.id, columns) });
    return true;
  });
  for (const siteId of new Set(changed.map((one) => one.siteId))) ctx.live.publish({ type: 'filings', siteId });
  const current = responseOf(await find(ctx, params.id));
  return written ? current : fail('stale_revision', { current });
}

/** Throws `referenced` while filings belong to it. */
export async function removeSubject(ctx: Context, call: CallOf<typeof endpoints.removeFilingSubject>): Promise<void> {
  const { row } = await find(ctx, call.params.id);
  try {
    await ctx.postgres.db.transaction(async (tx) => {
      await queries.deleteSubject(tx, row.id);
      await record(ctx, tx, actorOf(call), { action: 'filing.subject_removed', ...about(row.id, row) });
    });
  } catch (error) {
    if (violatesForeignKey(error)) fail('referenced', { cause: error });
    throw error;
  }
}
