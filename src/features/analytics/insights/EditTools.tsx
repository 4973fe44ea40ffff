import DeleteIcon from '@mui/icons-material/DeleteOutlineOutlined';
import EditIcon from '@mui/icons-material/EditOutlined';
import { IconButton } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

const icon = { fontSize: 'var(--text-body)' } as const;

/** Actions on one saved definition of a list, named by `name`. */
export const EditTools = ({ name, onEdit, onRemove }: { readonly name: string; readonly onEdit: () => void; readonly onRemove: () => void }): ReactElement => {
  const { t } = useTranslation('insights');
  return (
    <>
      <IconButton size="small" aria-label={`${t('edit.edit')} ${name}`} title={t('edit.edit')} onClick={onEdit}>
        <EditIcon style={icon} />
      </IconButton>
      <IconButton size="small" aria-label={`${t('edit.remove')} ${name}`} title={t('edit.remove')} onClick={onRemove}>
        <DeleteIcon style={icon} />
      </IconButton>
    </>
  );
};
