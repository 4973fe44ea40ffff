import { Alert } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlRunDetail } from '@contract/crawler/schemas';
import { useFormat } from '@/lib/format';

/** What became of pages that are written by scripts: nothing, if there are none. */
export function RenderingNote({ run: { config, rendering } }: { readonly run: CrawlRunDetail }): ReactElement | null {
  const { t } = useTranslation('crawler');
  const { number } = useFormat();
  const { needScripts, rendered, failures, stop } = rendering;
  const isOff = (config.render?.mode ?? 'off') === 'off';
  const texts = [
    ...(isOff && needScripts > 0 ? [t('rendering.needScripts', { count: needScripts, n: number(needScripts) })] : []),
    ...(rendered > 0 ? [t('rendering.rendered', { count: rendered, n: number(rendered) })] : []),
    ...(failures > 0 ? [t('rendering.failures', { count: failures, n: number(failures) })] : []),
    ...(stop === null ? [] : [t(`rendering.stop.${stop}`)]),
  ];
  if (texts.length === 0) return null;
  return (
    <Alert severity={isOff || failures > 0 || stop !== null ? 'warning' : 'info'} sx={{ my: 1 }}>
      {texts.map((text) => (
        <div key={text}>{text}</div>
      ))}
    </Alert>
  );
}
