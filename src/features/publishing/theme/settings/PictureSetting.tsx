import { Dialog, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { PickResource } from '@/features/resources/library/PickResource';
import { contentAddress, useResourceQuery, variantAddress } from '@/features/resources/resourcesApi';
import { phone, useMedia } from '@/lib/useMedia';
import { withMessages } from '@/i18n';
import { FilterSelect } from '@/ui/FilterSelect';
import type { ControlProps } from '@/ui/form/Field';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { Icon } from '@/ui/Icon';

const kinds = ['image', 'svg'] as const;

function PickDialog({
  siteId,
  value,
  onClose,
  onChoose,
}: {
  readonly siteId: string;
  readonly value: string | null;
  readonly onClose: () => void;
  readonly onChoose: (id: string) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const titleId = useId();
  const fullScreen = useMedia(phone);
  const [kind, setKind] = useState<(typeof kinds)[number]>('image');
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="md" fullScreen={fullScreen}>
      <DialogTitle id={titleId} className="theme-dialog-title">
        {t('theme.settings.pickPicture')}
        <IconButton label={t('theme.close')} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </DialogTitle>
      <DialogContent>
        <PickResource siteId={siteId} kind={kind} chosen={value === null ? [] : [value]} onChoose={({ id }) => onChoose(id)}>
          <FilterSelect
            label={t('theme.settings.pictureKind')}
            value={kind}
            choices={kinds.map((one) => ({ value: one, label: t(`theme.settings.kind.${one}`) }))}
            onChoose={(next) => setKind(next === 'svg' ? 'svg' : 'image')}
          />
        </PickResource>
      </DialogContent>
    </Dialog>
  );
}

/** `PickDialog`, whose messages load when it opens. */
const LazyPickDialog = lazyWithRetry(async () => {
  await withMessages(Promise.resolve(), ['resources']);
  return { default: PickDialog };
});

function Picture({ siteId, id }: { readonly siteId: string; readonly id: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const { currentData: resource, isError } = useResourceQuery({ siteId, id });
  if (isError) return <span className="field-note">{t('theme.settings.pictureGone')}</span>;
  if (!resource) return <span className="theme-picture-place" />;
  return (
    <>
      <span className="theme-picture-place">
        <img src={resource.kind === 'svg' ? contentAddress(siteId, resource) : variantAddress(siteId, resource, 'thumbnail')} alt="" />
      </span>
      <span className="theme-picture-name">{resource.name}</span>
    </>
  );
}

/** A picture of the site's resources, or none. */
export function PictureSetting({
  siteId,
  control,
  value,
  readOnly,
  onChange,
}: {
  readonly siteId: string;
  readonly control: ControlProps;
  readonly value: string | null;
  readonly readOnly: boolean;
  readonly onChange: (id: string | null) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const [isOpen, setOpen] = useState(false);
  const { id, 'aria-describedby': describedBy } = control;
  return (
    <div className="theme-picture">
      {value !== null && <Picture siteId={siteId} id={value} />}
      {!readOnly && (
        <PlainButton id={id} aria-describedby={describedBy} onClick={() => setOpen(true)}>
          {t(value === null ? 'theme.settings.choosePicture' : 'theme.settings.changePicture')}
        </PlainButton>
      )}
      {value !== null && !readOnly && (
        <PlainButton data-quiet="" onClick={() => onChange(null)}>
          {t('theme.settings.removePicture')}
        </PlainButton>
      )}
      {isOpen && (
        <LazyPickDialog
          siteId={siteId}
          value={value}
          onClose={() => setOpen(false)}
          onChoose={(chosen) => {
            setOpen(false);
            onChange(chosen);
          }}
        />
      )}
    </div>
  );
}
