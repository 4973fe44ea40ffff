import { escapeHtml } from '../../kit/text/escapeHtml';

type Attributes = Readonly<Record<string, string | number | null | undefined>>;
/** An element without content; attributes without a value are omitted. */
export const element = (name: string, attributes: Attributes): string =>
  `<${name}${Object.entries(attributes)
    .flatMap(([key, value]) => (value === null || value === undefined || value === '' ? [] : [` ${key}="${escapeHtml(String(value))}"`]))
    .join('')}>`;
export const meta = (name: string, content: string | null | undefined): string[] => (content ? [element('meta', { name, content })] : []);
export const property = (name: string, content: string | number | null | undefined): string[] =>
  content ? [element('meta', { property: name, content })] : [];
