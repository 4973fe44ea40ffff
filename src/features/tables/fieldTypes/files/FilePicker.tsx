import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import type { ResourceKind } from '@contract/resources/terms';
import { PickResource } from '@/features/resources/library/PickResource';
import { FilterSelect } from '@/ui/FilterSelect';

type Props = {
  readonly siteId: string;
  /** Kinds that the field takes. */
  readonly kinds: readonly ResourceKind[];
  /** Whether several files can be chosen. */
  readonly several: boolean;
  readonly onClose: () => void;
  readonly onChoose: (resources: readonly Resource[]) => void;
};

/** Resources of the site for a field. It needs the messages of resources. */
export const FilePicker = ({ siteId, kinds, several, onClose, onChoose }: Props): ReactElement => {
  const { t } = useTranslation('tableFields');
  const id = useId();
  const [kind, setKind] = useState<ResourceKind>(kinds[0] ?? 'image');
  const [chosen, setChosen] = useState<readonly Resource[]>([]);
  const choose = (resource: Resource): void => {
    if (chosen.some((one) => one.id === resource.id)) setChosen(chosen.filter((one) => one.id !== resource.id));
    else setChosen(several ? [...chosen, resource] : [resource]);
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="md">
      <DialogTitle id={id}>{t('files.pick')}</DialogTitle>
      <DialogContent>
        <PickResource siteId={siteId} kind={kind} chosen={chosen.map((one) => one.id)} onChoose={choose}>
          {kinds.length > 1 && (
            <FilterSelect
              label={t('files.kind')}
              value={kind}
              choices={kinds.map((one) => ({ value: one, label: t(`files.kinds.${one}`) }))}
              onChoose={(next) => setKind(kinds.find((one) => one === next) ?? kind)}
            />
          )}
        </PickResource>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('files.cancel')}</Button>
        <Button variant="contained" disabled={chosen.length === 0} onClick={() => onChoose(chosen)}>
          {t('files.choose', { count: chosen.length })}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
