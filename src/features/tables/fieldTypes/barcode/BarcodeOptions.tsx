import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { symbologies } from '@contract/tables/fieldTypes/barcode';
import { ChooseLine } from '../../parts/controls';
import type { Editing } from '../../schema/fields/editing';

export const BarcodeOptions = ({ draft: { options }, mayDesign, setOption, errorAt }: Editing): ReactElement => {
  const { t } = useTranslation('tableDesign');
  return (
    <ChooseLine
      label={t('option.symbology')}
      value={options.symbology ?? 'any'}
      options={symbologies.map((id) => ({ id, name: t(`symbology.${id}`) }))}
      error={errorAt('options.symbology')}
      disabled={!mayDesign}
      onChange={(symbology) => setOption({ symbology: symbology === 'any' ? undefined : symbology })}
    />
  );
};
