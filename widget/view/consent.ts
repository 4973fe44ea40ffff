import type { WidgetConfig } from '../../contract/support/visitors';
import { h } from '../dom';

/** What visitors agree to by writing; null: the site says nothing. */
export const consentLine = ({ consent, texts }: WidgetConfig): HTMLElement | null =>
  consent === null
    ? null
    : h(
        'p',
        { class: 'consent' },
        consent.text,
        consent.url !== null && ' ',
        consent.url !== null && h('a', { href: consent.url, target: '_blank', rel: 'noopener' }, texts.privacy),
      );
