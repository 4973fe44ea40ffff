import { z } from 'zod';
import { FormatError } from './format';
import type { Format } from './format';

const File = z.object({ texts: z.array(z.object({ id: z.string(), source: z.string().optional(), target: z.string().default('') })) });

/** An object with the languages and a list of texts. */
export const json: Format = {
  extension: 'json',
  tags: 'html',
  mime: 'application/json; charset=utf-8',
  head: ({ tag, site }) => `{"site":${JSON.stringify(site)},"language":${JSON.stringify(tag)},"texts":[`,
  text({ id, note, from, source, text, state }, before) {
    return `${before === null ? '' : ','}\n${JSON.stringify({ id, note, from, source, target: text ?? '', state })}`;
  },
  foot: () => '\n]}\n',
  read(content) {
    let value: unknown;
    try {
      value = JSON.parse(content);
    } catch (error) {
      throw new FormatError('not JSON', { cause: error });
    }
    const file = File.safeParse(value);
    if (!file.success) throw new FormatError('no texts', { cause: file.error });
    return file.data.texts.map(({ id, source, target }) => ({ id, source: source ?? null, text: target }));
  },
};
