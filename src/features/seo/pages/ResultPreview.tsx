import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { widthTargets } from '@contract/seo/terms';
import { resultText, resultWidth } from '@contract/seo/textWidth';
import type { WidthTarget } from '@contract/seo/textWidth';
import { useFormat } from '@/lib/format';
import { Toggles } from '@/ui/Toggles';
import '../seo.css';

type Texts = { readonly title: string; readonly description: string; readonly address: string };

/** A page as a list of results shows it. Where search engines cut a text depends on its width in pixels. */
export function ResultPreview({
  title,
  description,
  address,
  target,
  onTarget,
}: Texts & { readonly target: WidthTarget; readonly onTarget: (target: WidthTarget) => void }): ReactElement {
  const { t } = useTranslation('seo');
  return (
    <div className="seo-preview">
      <Toggles
        label={t('pages.preview')}
        value={target}
        choices={widthTargets.map((value) => ({ value, label: t(`pages.target.${value}`) }))}
        onChoose={onTarget}
      />
      <div className="seo-result" data-target={target} role="figure" aria-label={t('pages.previewOf', { target: t(`pages.target.${target}`) })}>
        <small>{address}</small>
        <b>{resultText(title, 'title', target)}</b>
        <p>{description === '' ? t('pages.noDescription') : resultText(description, 'description', target)}</p>
      </div>
    </div>
  );
}

/** How much of the available width a text takes. */
export function WidthNote({
  text,
  part,
  target,
}: {
  readonly text: string;
  readonly part: 'title' | 'description';
  readonly target: WidthTarget;
}): ReactElement {
  const { t } = useTranslation('seo');
  const format = useFormat();
  const { pixels, limit, cut } = resultWidth(text, part, target);
  const values = { pixels: format.number(pixels), limit: format.number(limit) };
  return (
    <span className="seo-width" data-cut={cut}>
      <meter min={0} max={limit} high={limit - 1} value={Math.min(pixels, limit)} aria-hidden="true" />
      {t(cut ? 'pages.tooWide' : 'pages.width', values)}
    </span>
  );
}
