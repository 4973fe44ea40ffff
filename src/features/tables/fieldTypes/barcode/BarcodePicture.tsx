import { useTranslation } from 'react-i18next';
import { modulesOf } from './encode';

/** Width of the quiet zone on each side, in modules; scanners need eleven. */
const quiet = 11;
const height = 60;

/** A barcode, black on white whatever the page's colours; nothing where the text is not a valid code. */
export const BarcodePicture = ({ code }: { readonly code: string }) => {
  const { t } = useTranslation('tableFields');
  const modules = modulesOf(code);
  if (modules === null) return null;
  const width = modules.length + 2 * quiet;
  const bars = [...modules.matchAll(/1+/g)].map(
    ({ index, 0: bar }) => `M${String(quiet + index)} 0h${String(bar.length)}v${String(height)}h-${String(bar.length)}z`,
  );
  return (
    <svg
      role="img"
      aria-label={t('barcode.picture', { code })}
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      width={width * 2}
      style={{ maxWidth: '100%', marginTop: 8 }}
    >
      <rect width={width} height={height} fill="#fff" />
      <path d={bars.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
};
