import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import type { ResourceKind } from '@contract/resources/terms';
import { PickResource } from '@/features/resources/library/PickResource';
import { contentAddress, useResourceQuery, variantAddress } from '@/features/resources/resourcesApi';
import { FieldGroup } from '@/ui/form/Field';
import { FilterSelect } from '@/ui/FilterSelect';
import '../publishing.css';

type PickerProps = {
  readonly siteId: string;
  readonly kinds: readonly ResourceKind[];
  readonly chosen: string | null;
  readonly onClose: () => void;
  readonly onChoose: (resource: Resource) => void;
};

/** One resource of the site. It needs the messages of resources. */
function ResourceDialog({ siteId, kinds, chosen, onClose, onChoose }: PickerProps): ReactElement {
  const { t } = useTranslation('publishing');
  const id = useId();
  const [kind, setKind] = useState<ResourceKind>(kinds[0] ?? 'image');
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="md">
      <DialogTitle id={id}>{t('resource.pick')}</DialogTitle>
      <DialogContent>
        <PickResource siteId={siteId} kind={kind} chosen={chosen === null ? [] : [chosen]} onChoose={onChoose}>
          {kinds.length > 1 && (
            <FilterSelect
              label={t('resource.kind')}
              value={kind}
              choices={kinds.map((one) => ({ value: one, label: t(one === 'svg' ? 'resource.svg' : 'resource.image') }))}
              onChoose={(next) => setKind(kinds.find((one) => one === next) ?? kind)}
            />
          )}
        </PickResource>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('resource.cancel')}</Button>
      </DialogActions>
    </Dialog>
  );
}

/** The picture and the name of a chosen resource. */
function Chosen({ siteId, id }: { readonly siteId: string; readonly id: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const { data, isError } = useResourceQuery({ siteId, id });
  if (isError) return <span className="publishing-quiet">{t('resource.missing')}</span>;
  if (!data) return <span className="publishing-quiet">{t('resource.loading')}</span>;
  return (
    <>
      <img src={data.kind === 'svg' ? contentAddress(siteId, data) : variantAddress(siteId, data, 'thumbnail')} alt="" />
      <span>{data.name}</span>
    </>
  );
}

/** A picture of the site: chosen from its resources, or none. */
export function ResourceField({
  siteId,
  label,
  help,
  kinds,
  value,
  check,
  readOnly,
  onChange,
}: {
  readonly siteId: string;
  readonly label: string;
  readonly help?: string;
  readonly kinds: readonly ResourceKind[];
  /** Id of the resource. */
  readonly value: string | null;
  /** Why a resource does not fit, in words; null if it does. */
  readonly check?: (resource: Resource) => string | null;
  readonly readOnly: boolean;
  readonly onChange: (id: string | null) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const [open, setOpen] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);
  const change = (id: string | null): void => {
    setError(undefined);
    onChange(id);
  };
  const choose = (resource: Resource): void => {
    setOpen(false);
    const refusal = check?.(resource) ?? null;
    if (refusal === null) change(resource.id);
    else setError(refusal);
  };
  return (
    <FieldGroup label={label} help={help} error={error}>
      <div className="publishing-resource">
        {value === null ? <span className="publishing-quiet">{t('resource.none')}</span> : <Chosen siteId={siteId} id={value} />}
        {!readOnly && (
          <span>
            <Button variant="outlined" aria-label={t(value === null ? 'resource.chooseFor' : 'resource.replaceFor', { label })} onClick={() => setOpen(true)}>
              {t(value === null ? 'resource.choose' : 'resource.replace')}
            </Button>
            {value !== null && (
              <Button aria-label={t('resource.removeFrom', { label })} onClick={() => change(null)}>
                {t('resource.remove')}
              </Button>
            )}
          </span>
        )}
      </div>
      {open && <ResourceDialog siteId={siteId} kinds={kinds} chosen={value} onClose={() => setOpen(false)} onChoose={choose} />}
    </FieldGroup>
  );
}
