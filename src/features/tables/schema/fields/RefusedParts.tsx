import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldParts } from '@/features/tables/parts/fieldParts';
import type { FieldErrors } from './editing';

const partNames = [...fieldParts, 'dropAliases'] as const;
type PartName = (typeof partNames)[number];
/** Whether the name is a part of a definition that has a label. */
export const isPartName = (name: string): name is PartName => partNames.some((one) => one === name);

/** The server's errors by part, including those without a control of their own. */
export const RefusedParts = ({
  fieldErrors,
  errorAt,
}: {
  readonly fieldErrors: FieldErrors;
  readonly errorAt: (path: string) => string | undefined;
}): ReactElement | null => {
  const { t } = useTranslation('tableDesign');
  const box = useRef<HTMLDivElement>(null);
  const paths = Object.keys(fieldErrors);
  useEffect(() => {
    if (paths.length > 0) box.current?.focus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [fieldErrors]);
  if (paths.length === 0) return null;
  const partLabel = (path: string): string => {
    const part = partNames.find((one) => path === one || path.startsWith(`${one}.`));
    return part ? t(`edit.part.${part}`) : path;
  };
  return (
    <div ref={box} tabIndex={-1} className="error-panel" role="alert">
      <p>{t('edit.errorsTitle')}</p>
      {paths.map((path) => (
        <p key={path}>
          {partLabel(path)} · {errorAt(path)}
        </p>
      ))}
    </div>
  );
};
