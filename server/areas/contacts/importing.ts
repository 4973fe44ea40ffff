import { ContactInput, importLimit } from '../../../contract/contacts/schemas';
import type { ImportedContact } from '../../../contract/contacts/schemas';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import { fail, failField, fieldsOf } from '../../http/failure';
import { record } from '../audit';
import type { Actor } from '../audit';
import { addedValues } from './changes';
import { readCsv } from './csv';
import { wordReader } from './importWords';
import type { ImportedLine } from './importWords';
import * as queries from './queries';
import type { Db } from './queries';
import { readVcards } from './vcard';

export type ImportOptions = {
  readonly format: 'csv' | 'vcard';
  readonly text: string;
  readonly dryRun: boolean;
  /** Of contacts whose line names none. */ readonly locale: Locale;
};

class DryRun extends Error {}

/**
 * Adds the contacts of a file, each line whole or not at all, and all of them in one transaction: a file is not imported by half when
 * the program ends. A dry run does the same and takes it back. Throws `invalid_fields` for a file that cannot be read.
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
  const input = wordReader(entry, locale);
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
