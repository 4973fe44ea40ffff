import { nanoid } from '@reduxjs/toolkit';
import { choiceColors } from '@contract/tables/schemas';
import type { Choice } from '@contract/tables/schemas';

/** A colour that differs from those of the last few choices. */
const nextColor = (choices: readonly Choice[]): Choice['color'] => choiceColors[(choices.length + 1) % choiceColors.length] ?? 'grey';
/** A choice to add after others. */
export const newChoice = (title: string, before: readonly Choice[]): Choice => ({ id: nanoid(8), title, color: nextColor(before) });
