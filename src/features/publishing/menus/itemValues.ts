import { z } from 'zod';
import type { MenuItem } from '@contract/publishing/parts';
import { publishingLimits } from '@contract/publishing/terms';
import { safeText } from '@contract/text';
import { encodeFieldError } from '@/ui/form/fieldError';
import { textsFor, withoutEmpty } from '@/lib/languageTexts';
import type { MenuRow } from './menuTree';

export const targetKinds = ['path', 'url', 'record'] as const;

const WebAddress = z.url({ protocol: /^(?:https?|mailto|tel)$/ }).max(2000);

/** The form of an item in a site whose main language is `language`. */
export const itemSchema = (language: string) =>
  z
    .strictObject({
      label: z.record(z.string(), safeText(100)),
      kind: z.enum(targetKinds),
      path: z.string().trim(),
      url: z.string().trim(),
      table: z.string(),
      record: z.string().nullable(),
    })
    .superRefine(({ label, kind, path, url, record }, { addIssue }) => {
      const refuse = (at: string[], code: 'required' | 'pattern' | 'not_a_url' | 'too_long'): void =>
        addIssue({ code: 'custom', path: at, message: encodeFieldError({ code, ...(code === 'too_long' ? { max: publishingLimits.path } : {}) }) });
      if ((label[language] ?? '') === '') refuse(['label', language], 'required');
      if (kind === 'path' && !path.startsWith('/')) refuse(['path'], path === '' ? 'required' : 'pattern');
      if (kind === 'path' && path.length > publishingLimits.path) refuse(['path'], 'too_long');
      if (kind === 'url' && !WebAddress.safeParse(url).success) refuse(['url'], url === '' ? 'required' : 'not_a_url');
      if (kind === 'record' && record === null) refuse(['record'], 'required');
    });
export type ItemValues = z.output<ReturnType<typeof itemSchema>>;

/** Values of an item, or of a new one (null). */
export function valuesOf(item: MenuRow['item'] | null, languages: readonly string[]): ItemValues {
  const target = item?.target ?? { path: '' };
  return {
    label: textsFor(languages, item?.label),
    kind: 'url' in target ? 'url' : 'record' in target ? 'record' : 'path',
    path: 'path' in target ? target.path : '',
    url: 'url' in target ? target.url : '',
    table: 'table' in target ? target.table : '',
    record: 'record' in target ? target.record : null,
  };
}

const targetOf = ({ kind, path, url, table, record }: ItemValues): MenuItem['target'] =>
  kind === 'path' ? { path } : kind === 'url' ? { url } : { table, record: record ?? '' };

export const itemOf = (id: string, values: ItemValues): MenuRow['item'] => ({
  id,
  label: withoutEmpty(values.label),
  target: targetOf(values),
});
