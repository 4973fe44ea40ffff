import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { choiceColors } from '../../../../../contract/tables/schemas';
import type { Choice } from '../../../../../contract/tables/schemas';
import { tableLimits } from '../../../../../contract/tables/terms';
import { fail } from '../../../../http/failure';
import { record } from '../../../audit';
import type { Actor } from '../../../audit';
import { readModel } from '../model';
import type { FieldModel, SiteModel, TableModel } from '../model';
import { contentBatches, contentChanges, contentFields, contentSites, contentTables } from '../schema';
import type { NotedChoice } from '../schema';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';
import { holdWriters, usedChoices } from './choiceRows';
import type { Db } from '../ddl';

type ChoicesByField = Record<string, NotedChoice[]>;
/** A removed choice with its position: the ids of the choices before it. */
const withPlace = (choice: Choice, choices: readonly Choice[]): NotedChoice => ({
  ...choice,
  after: choices
    .slice(
      0,
      Math.max(
        0,
        choices.findIndex(({ id }) => id === choice.id),
      ),
    )
    .map(({ id }) => id),
});
/** Inserts a choice after the nearest of its former predecessors; without a recorded position, at the end. */
function putBack(choices: readonly Choice[], { after, ...choice }: NotedChoice): Choice[] {
  const at = after === undefined ? choices.length : choices.findLastIndex(({ id }) => after.includes(id)) + 1;
  return [...choices.slice(0, at), choice, ...choices.slice(at)];
}
const folded = (title: string): string => title.normalize('NFKC').toLowerCase();
const newId = (): string => `c_${randomBytes(6).toString('hex')}`;

/**
 * Adds choices to selections as part of a write, committed or rolled back with it. Titles that somebody else has added meanwhile are reused. Returns the
 * resulting definitions and the added choices by field. Throws `invalid_fields` if a selection would have too many.
 */
export async function makeChoices(
  w: WriteTx,
  { model, table }: Pick<TableContext, 'model' | 'table'>,
  actor: Actor,
  newTitles: ReadonlyMap<FieldModel, ReadonlySet<string>>,
): Promise<{ readonly model: SiteModel; readonly addedChoices: ChoicesByField }> {
  const addedChoices: ChoicesByField = {};
  const revision = await changeOptions(w, model.siteId, table, actor, [...newTitles.keys()], (field, choices) => {
    const known = new Set(choices.map((choice) => folded(choice.title)));
    // Titles that differ only in case are one choice, as when a definition is saved.
    const fresh = [...(newTitles.get(field) ?? [])].filter((title) => !known.has(folded(title)) && known.add(folded(title)));
    const added = fresh.map((title, at): Choice => ({ id: newId(), title, color: choiceColors[(choices.length + at) % choiceColors.length] ?? 'grey' }));
    if (choices.length + added.length > tableLimits.choices) fail('invalid_fields', { fields: { addChoices: { code: 'too_long', max: tableLimits.choices } } });
    if (added.length > 0) addedChoices[field.id] = added;
    return [...choices, ...added];
  });
  return { model: await readModel(w.tx, model.siteId, revision), addedChoices };
}

/** Stores with a batch which choices were added with it, in addition to those of earlier chunks, so that undo removes them. */
export async function noteChoices(w: WriteTx, batchId: string, choices: ChoicesByField): Promise<void> {
  const [batch] = await w.tx.select({ choices: contentBatches.choices }).from(contentBatches).where(eq(contentBatches.id, batchId));
  const all: ChoicesByField = { ...batch?.choices };
  for (const [field, addedToField] of Object.entries(choices)) all[field] = [...(all[field] ?? []), ...addedToField];
  await w.tx.update(contentBatches).set({ choices: all }).where(eq(contentBatches.id, batchId));
}

/** Removed choices are stored under the field id prefixed with a minus sign. */
const goneFrom = (fieldId: string): string => `-${fieldId}`;
/** Stores with a batch, if it changed any records, that a choice was removed with it, so that undo restores the choice. */
export async function noteRemovedChoice(
  tx: WriteTx['tx'] | Db,
  batchId: string,
  { id: fieldId, options }: Pick<FieldModel, 'id' | 'options'>,
  choice: Choice,
): Promise<void> {
  const [batch] = await tx.select({ choices: contentBatches.choices }).from(contentBatches).where(eq(contentBatches.id, batchId));
  if (!batch) return;
  const key = goneFrom(fieldId);
  await tx
    .update(contentBatches)
    .set({ choices: { ...batch.choices, [key]: [...(batch.choices?.[key] ?? []), withPlace(choice, options.choices ?? [])] } })
    .where(eq(contentBatches.id, batchId));
}

/** Whether choices were removed with a batch, or restored by undoing one: then records in the bin were affected too. */
export const removedChoices = ({ choices }: Pick<Undoing, 'choices'>): boolean => Object.keys(choices ?? {}).some((key) => key.startsWith('-'));

type Undoing = { readonly origin: string; readonly choices: ChoicesByField | null };
/** Whether undoing a batch restores the choices under one of its keys, rather than removing them. */
const isBroughtBack = ({ origin }: Undoing, key: string): boolean => (origin === 'undo') !== key.startsWith('-');
/** Ids of the choices that undoing a batch will restore (`undoChoices`), by field: values may refer to them again. */
export function choicesBack({ reader }: Pick<TableContext, 'reader'>, batch: Undoing): ReadonlyMap<string, readonly string[]> {
  const back = new Map<string, readonly string[]>();
  if (reader.role !== 'admin') return back;
  for (const [key, some] of Object.entries(batch.choices ?? {})) {
    const field = key.replace(/^-/, '');
    if (isBroughtBack(batch, key)) back.set(field, [...(back.get(field) ?? []), ...some.map(({ id }) => id)]);
  }
  return back;
}

/**
 * Part of undo: removes the choices that a batch added, except those in use by any record (also in the bin or published), and restores those that it
 * removed; for an undo batch, the other way round. The changes are recorded on the new batch.
 */
export async function undoChoices(
  w: WriteTx,
  { model, reader }: Pick<TableContext, 'model' | 'reader'>,
  actor: Actor,
  batch: { readonly origin: string; readonly tableId: string; readonly choices: ChoicesByField | null },
  batchId: string | null,
): Promise<void> {
  const table = model.tables.find((one) => one.id === batch.tableId);
  const { choices: all } = batch;
  const fields =
    table?.fields.filter(({ id, type }) => (all?.[id] ?? all?.[goneFrom(id)]) !== undefined && (type === 'select' || type === 'multiSelect')) ?? [];
  if (batchId === null || !table || !all || fields.length === 0 || reader.role !== 'admin') return;
  const notedChoices: ChoicesByField = {};
  const away = new Set<string>();
  const back = new Map<string, readonly NotedChoice[]>();
  for (const field of fields) {
    for (const key of [field.id, goneFrom(field.id)]) {
      const some = all[key];
      if (!some) continue;
      const ids = some.map((choice) => choice.id);
      const isBack = isBroughtBack(batch, key);
      // Otherwise a concurrent writer could still use the choice.
      if (!isBack) await holdWriters(w.tx, model.siteId, table);
      const used = isBack ? new Set<string>() : await usedChoices(w.tx, model.siteId, table, field, ids);
      const unused = some.filter((choice) => !used.has(choice.id));
      const meant = isBack ? unused : unused.map((choice) => withPlace(choice, field.options.choices ?? []));
      if (meant.length > 0) notedChoices[key] = meant;
      if (isBack) back.set(field.id, [...(back.get(field.id) ?? []), ...meant]);
      else for (const { id } of meant) away.add(`${field.id} ${id}`);
    }
  }
  await changeOptions(w, model.siteId, table, actor, fields, (field, choices) => {
    const meant = back.get(field.id) ?? [];
    const others = choices.filter(({ id }) => !away.has(`${field.id} ${id}`) && !meant.some((one) => one.id === id));
    return meant.reduce(putBack, others);
  });
  await noteChoices(w, batchId, notedChoices);
}

/** Changes choices like any definition: history, revisions, audit log and notices. Returns the site's new revision. */
async function changeOptions(
  w: WriteTx,
  siteId: string,
  table: TableModel,
  actor: Actor,
  fields: readonly FieldModel[],
  next: (field: FieldModel, choices: readonly Choice[]) => Choice[],
): Promise<number> {
  const { tx } = w;
  // Its row lock serializes changes to one site.
  const [site] = await tx
    .update(contentSites)
    .set({ revision: sql`${contentSites.revision} + 1` })
    .where(eq(contentSites.siteId, siteId))
    .returning({ revision: contentSites.revision });
  const [grown] = await tx
    .update(contentTables)
    .set({ revision: sql`${contentTables.revision} + 1` })
    .where(eq(contentTables.id, table.id))
    .returning({ revision: contentTables.revision });
  for (const field of fields) {
    const [row] = await tx.select({ options: contentFields.options }).from(contentFields).where(eq(contentFields.id, field.id));
    const before = row?.options ?? field.options;
    const after = { ...before, choices: next(field, before.choices ?? []) };
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    await tx.update(contentFields).set({ options: after }).where(eq(contentFields.id, field.id));
    const change = {
      siteId,
      tableId: table.id,
      fieldId: field.id,
      revision: grown?.revision ?? table.revision,
      op: 'field_changed' as const,
      name: field.title,
    };
    await tx.insert(contentChanges).values({ ...change, before: { options: before }, after: { options: after }, by: actor.id, at: w.now });
    const target = { kind: 'table', id: table.id, name: table.title };
    const said = { field: field.title, parts: ['options'] };
    await record(w.ctx, tx, actor, { action: 'table.changed', siteId, target, before: said, after: { change: 'field_changed', ...said } });
  }
  w.after(() => w.ctx.live.publish({ type: 'tables', siteId, tableId: table.id }));
  return site?.revision ?? 0;
}
