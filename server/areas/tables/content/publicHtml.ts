import { pictureSnippet } from '../../../../contract/resources/snippets';
import { resourceIdIn, textIn } from '../../../../contract/tables/fieldTypes/fileValues';
import type { RecordLabels } from '../../../../contract/tables/records';

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const decoded = (text: string): string => text.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity);

/**
 * Rich text as the public reads it. Pictures that are resources of the site get the addresses of their current version, `srcset`, dimensions, and, unless the
 * text has its own, their alternative text in the language. Those that are private, blocked, in the bin or unknown are left out. `html` is as stored: cleaned by the
 * sanitizer, so that attributes are quoted and `>` appears only at the end of a tag.
 */
export function publicHtml(html: string, labels: RecordLabels, locale: string): string {
  return html.replaceAll(/<img\b[^>]*>/gi, (tag) => {
    const attributes = new Map([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name.toLowerCase(), value]));
    const src = attributes.get('src') ?? '';
    const id = src.startsWith('/') ? resourceIdIn(src) : null;
    if (id === null) return tag;
    const label = labels.resources?.[id];
    if (!label || label.deleted || label.blocked || label.visibility !== 'public' || (label.kind !== 'image' && label.kind !== 'svg')) return '';
    const alt = attributes.get('alt');
    const { kind } = label;
    const picture = pictureSnippet({ ...label, kind, alt: alt === undefined ? (textIn(label.alt, locale) ?? '') : decoded(alt) }, 'html');
    const title = attributes.get('title');
    return title === undefined ? picture : picture.replace('<img ', () => `<img title="${title}" `);
  });
}
