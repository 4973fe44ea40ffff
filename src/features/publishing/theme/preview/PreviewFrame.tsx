import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useWidth } from '@/ui/chart/useWidth';

/** Widths in CSS pixels at which a page is laid out. */
export const previewWidths = { phone: 390, tablet: 768, desktop: 1280 } as const;
export type PreviewWidth = keyof typeof previewWidths;

/** What the page may do: its scripts run in its own origin, never in the console's, and it cannot leave its frame. */
const allowed = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

type Page = { readonly address: string; readonly version: string };
const keyOf = ({ address, version }: Page): string => `${address} ${version}`;

/**
 * A page in a frame, laid out at a width and scaled down to the space there is. After a change of `version` the new page loads behind the old one, so that
 * nothing flashes.
 */
export function PreviewFrame({ address, version, width }: Page & { readonly width: PreviewWidth }): ReactElement {
  const { t } = useTranslation('publishing');
  const box = useRef<HTMLDivElement>(null);
  const available = useWidth(box, 640);
  const latest: Page = { address, version };
  const [loaded, setLoaded] = useState<Page | null>(null);
  const isLoaded = loaded !== null && keyOf(loaded) === keyOf(latest);
  const pages = loaded === null || isLoaded ? [latest] : [loaded, latest];
  const pageWidth = previewWidths[width];
  const scale = Math.min(1, available / pageWidth);
  return (
    <div ref={box} className="theme-frame" aria-busy={!isLoaded}>
      {pages.map((page) => (
        <iframe
          key={keyOf(page)}
          className="theme-page"
          src={page.address}
          title={t('theme.preview.frame')}
          sandbox={allowed}
          referrerPolicy="no-referrer"
          aria-hidden={page === latest ? undefined : true}
          data-loading={page === latest && !isLoaded}
          style={{
            width: pageWidth,
            height: `${String(100 / scale)}%`,
            transform: `scale(${String(scale)})`,
            marginInlineStart: Math.max(0, (available - pageWidth * scale) / 2),
          }}
          onLoad={() => page === latest && setLoaded(page)}
        />
      ))}
    </div>
  );
}
