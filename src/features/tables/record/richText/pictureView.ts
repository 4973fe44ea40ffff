import type { NodeViewRenderer } from '@tiptap/core';
import { resourceIdIn } from '@contract/tables/fieldTypes/fileValues';
import { contentAddress, previewAddress } from '../../fieldTypes/files/filesApi';

/**
 * Shows pictures in the editor. Those that are resources of the site come from the console itself, whose policy allows no others; what is stored remains their
 * address within the site.
 */
export const pictureView =
  (siteId: string | null): NodeViewRenderer =>
  ({ node: { attrs } }) => {
    const image = document.createElement('img');
    const src = String(attrs['src'] ?? '');
    const id = src.startsWith('/') ? resourceIdIn(src) : null;
    image.alt = String(attrs['alt'] ?? '');
    image.title = String(attrs['title'] ?? '');
    if (siteId === null || id === null) image.src = src;
    else {
      image.src = previewAddress(siteId, id);
      // An SVG has no variants.
      image.addEventListener('error', () => (image.src = contentAddress(siteId, { id })), { once: true });
    }
    return { dom: image };
  };
