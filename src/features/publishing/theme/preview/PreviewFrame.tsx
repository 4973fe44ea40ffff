import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useWidth } from '@/ui/chart/useWidth';

/** Widths in CSS pixels at which a page is laid out. */
export const previewWidths = { phone: 390, tablet: 768, desktop: 1280 } as const;
export type PreviewWidth = keyof typeof previewWidths;

/** What the page may do: its scripts run in its own origin, never in the console's, and it cannot leave its frame. */
const allowed = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';

/**
 * A page in a frame, laid out at a width and scaled down to the space there is. After a change of `version` the new page loads behind the old one, so that
 * nothing flashes.
 */
export function PreviewFrame({ address, version, width }: { readonly address: string; readonly version: string; readonly width: PreviewWidth }): ReactElement {
  const { t } = useTranslation('publishing');
  const box = useRef<HTMLDivElement>(null);
  const available = useWidth(box, 640);
  const latest = `${address} ${version}`;
  const [loaded, setLoaded] = useState<string | null>(null);
  const pages = loaded === null || loaded === latest ? [latest] : [loaded, latest];
  const page = previewWidths[width];
  const scale = Math.min(1, available / page);
  return (
    <div ref={box} className="theme-frame" aria-busy={loaded !== latest}>
      {pages.map((one) => (
        <iframe
          key={one}
          className="theme-page"
          src={one.slice(0, one.lastIndexOf(' '))}
          title={t('theme.preview.frame')}
          sandbox={allowed}
          referrerPolicy="no-referrer"
          aria-hidden={one !== latest && loaded === one ? true : undefined}
          data-loading={one === latest && loaded !== latest}
          style={{
            width: page,
            height: `${String(100 / scale)}%`,
            transform: `scale(${String(scale)})`,
            marginInlineStart: Math.max(0, (available - page * scale) / 2),
          }}
          onLoad={() => one === latest && setLoaded(one)}
        />
      ))}
    </div>
  );
}
