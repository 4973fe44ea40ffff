import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useDeferredValue, useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import type { ResourceKind } from '@contract/resources/terms';
import { isFailure } from '@/lib/failure';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ResultState } from '@/ui/ResultState';
import { SearchBox } from '@/ui/SearchBox';
import { RowsSkeleton } from '@/ui/skeletons';
import { FilePicture } from './FilePicture';
import { useFilesToPickQuery } from './filesApi';
import { labelOf } from './labelOf';

type Props = {
  readonly siteId: string;
  /** Kinds that the field takes. */
  readonly kinds: readonly ResourceKind[];
  /** Whether several files can be chosen. */
  readonly several: boolean;
  readonly onClose: () => void;
  readonly onChoose: (resources: readonly Resource[]) => void;
};

/** Resources of the site to choose from, the newest first. */
export const FilePicker = ({ siteId, kinds, several, onClose, onChoose }: Props): ReactElement => {
  const { t } = useTranslation('tableFields');
  const id = useId();
  const [text, setText] = useState('');
  const [kind, setKind] = useState<ResourceKind>(kinds[0] ?? 'image');
  const [chosen, setChosen] = useState<readonly Resource[]>([]);
  const q = useDeferredValue(text.trim());
  const result = useFilesToPickQuery({ siteId, kind, size: 120, ...(q === '' ? {} : { q }) });
  const choose = (resource: Resource): void => {
    if (chosen.some((one) => one.id === resource.id)) setChosen(chosen.filter((one) => one.id !== resource.id));
    else setChosen(several ? [...chosen, resource] : [resource]);
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="md">
      <DialogTitle id={id}>{t('files.pick')}</DialogTitle>
      <DialogContent>
        <div className="f-pickertools">
          <SearchBox label={t('files.search')} value={text} onChange={setText} wide />
          {kinds.length > 1 && (
            <select aria-label={t('files.kind')} value={kind} onChange={(event) => setKind(kinds.find((one) => one === event.currentTarget.value) ?? kind)}>
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {t(`files.kinds.${one}`)}
                </option>
              ))}
            </select>
          )}
        </div>
        <ResultState
          result={result}
          skeleton={<RowsSkeleton rows={4} />}
          failed={(error, retry) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} />}
        >
          {({ rows }) =>
            rows.length === 0 ? (
              <EmptyState title={t(q === '' ? 'files.none' : 'files.noMatch')} />
            ) : (
              <ul className="f-pickergrid">
                {rows.map((resource) => (
                  <li key={resource.id}>
                    <button type="button" aria-pressed={chosen.some((one) => one.id === resource.id)} onClick={() => choose(resource)}>
                      <FilePicture siteId={siteId} file={labelOf(resource)} alt="" />
                      <span>{resource.name}</span>
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </ResultState>
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
