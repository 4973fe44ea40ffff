import { Choice } from '../../../../../contract/tables/schemas';
import { tableLimits } from '../../../../../contract/tables/terms';
import type { FieldError } from '../../../../http/failure';
import { isKeepable } from './texts';

/** Why a choice may not have this title; null: it may. */
export function titleError(title: string): FieldError | null {
  if (title.length > tableLimits.nameLength) return { code: 'too_long', max: tableLimits.nameLength };
  return isKeepable(title) && Choice.shape.title.safeParse(title).success ? null : { code: 'forbidden_characters' };
}
