import { ContactInput, importLimit } from '../../../contract/contacts/schemas';
import type { ImportedContact } from '../../../contract/contacts/schemas';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { fail, failField, fieldsOf } from '../../http/failure';
import { record } from '../audit';
import type { Actor } from '../audit';
import { addedValues } from './changes';
import { readCsv } from './csv';
import { termReader } from './importTerms';
import type { ImportedLine } from './importTerms';
import * as queries from './queries';
import type { Db } from './queries';
import { readVcards } from './vcard';

export type ImportOptions = {
  readonly format: 'csv' | 'vcard';
  readonly text: string;
  readonly dryRun: boolean;
  /** For contacts whose line has no locale. */ readonly locale: Locale;
};

class DryRun extends Error {}

/**
 * Imports the contacts of a file in one transaction, so that a file is never imported in part if the program stops. Each line is imported completely or not at
 * all. A dry run does the same and rolls back. Throws `invalid_fields` for an unreadable file.
 */
export async function importContacts(ctx: Context, actor: Actor, { format, text, dryRun, locale }: ImportOptions): Promise<ImportedContact[]> {
  const lines = (format === 'csv' ? readCsv(text) : readVcards(text)) ?? failField('text', 'pattern');
  if (lines.length > importLimit) fail('too_large');
  let rows: ImportedContact[] = [];
  try {
    await ctx.postgres.db.transaction(async (tx) => {
      rows = [];
      for (const entry of lines) rows.push(await importLine(ctx, tx, entry, locale));
      if (dryRun) throw new DryRun();
      const count = (result: ImportedContact['result']) => rows.filter((row) => row.result === result).length;
      if (count('added') > 0)
        await record(ctx, tx, actor, {
          action: 'contact.imported',
          after: { added: count('added'), duplicate: count('duplicate'), refused: count('refused') },
        });
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
  }
  return rows;
}

async function importLine(ctx: Context, tx: Db, entry: ImportedLine, locale: Locale): Promise<ImportedContact> {
  const input = termReader(entry, locale);
  const about = { line: entry.line, name: input.name.trim().slice(0, 100), email: input.email };
  const read = ContactInput.safeParse(input);
  if (!read.success) {
    const [[field, error] = ['', { code: 'pattern' as const }]] = Object.entries(fieldsOf(read.error, input));
    return { ...about, result: 'refused', field: field.split('.')[0] ?? field, code: error.code };
  }
  const values = addedValues(ctx, read.data);
  const double = values.email === null && (await queries.hasNamesake(tx, values));
  const added = double ? null : await queries.insertIfNew(tx, values, new Date(ctx.now()));
  return { ...about, result: added ? 'added' : 'duplicate', field: null, code: null };
}
