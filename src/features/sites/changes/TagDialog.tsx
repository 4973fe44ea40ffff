import { Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, NativeSelect, TextField } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site, SiteTag } from '@contract/sites/schemas';
import { tagColors, tagLimits } from '@contract/sites/terms';
import type { TagColor } from '@contract/sites/terms';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { Tag } from '@/ui/Tag';
import { changesListener, siteChangesRequested } from './siteChangesListeners';
import { tagsOf } from '../siteRows';
import { selectSites } from '../sitesSlice';
import { tagSteps } from './tagSteps';
import type { TagChoice } from './tagSteps';

function ColorSelect({ label, value, onChange }: { readonly label: string; readonly value: TagColor; readonly onChange: (color: TagColor) => void }) {
  const { t } = useTranslation('siteChanges');
  return (
    <NativeSelect value={value} onChange={(event) => onChange(event.target.value as TagColor)} inputProps={{ 'aria-label': label }} sx={{ minWidth: 88 }}>
      {tagColors.map((color) => (
        <option key={color} value={color}>
          {t(`tags.colors.${color}`)}
        </option>
      ))}
    </NativeSelect>
  );
}

type RowProps = { readonly tag: TagChoice; readonly onChange: (change: Partial<TagChoice>) => void };

/** One tag: whether the sites have it (some of them: neither on nor off), and its color, which changes wherever it is used. */
function TagRow({ tag, onChange }: RowProps): ReactElement {
  const { t } = useTranslation('siteChanges');
  return (
    <li>
      <FormControlLabel
        control={<Checkbox size="small" checked={tag.on === true} indeterminate={tag.on === null} onChange={() => onChange({ on: tag.on !== true })} />}
        label={<Tag color={tag.color}>{tag.name}</Tag>}
        sx={{ flex: 1, minWidth: 0 }}
      />
      <ColorSelect label={t('tags.colorOf', { name: tag.name })} value={tag.color} onChange={(color) => onChange({ color })} />
    </li>
  );
}

/** Tags that the sites have: all of them (true), none (false) or some (null). */
const choicesOf = (all: readonly Site[], sites: readonly Site[]): TagChoice[] =>
  tagsOf(all).map(({ name, color }) => {
    const having = sites.filter(({ tags }) => tags.some((tag) => tag.name === name)).length;
    const on = having === sites.length ? true : having === 0 ? false : null;
    return { name, color, on, was: { color, on } };
  });

/** Gives and takes tags of one or many sites. */
export default function TagDialog({ siteIds, onClose }: { readonly siteIds: readonly string[]; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('siteChanges');
  const dispatch = useAppDispatch();
  const all = useAppSelector(selectSites);
  const [sites] = useState(() => all.filter(({ id }) => siteIds.includes(id)));
  const [choices, setChoices] = useState(() => choicesOf(all, sites));
  const [next, setNext] = useState<SiteTag>({ name: '', color: 'blue' });
  const name = next.name.trim();
  const isKnown = choices.some((tag) => tag.name.toLowerCase() === name.toLowerCase());

  const withNext = (): TagChoice[] => (name === '' || isKnown ? choices : [...choices, { name, color: next.color, on: true, was: null }]);
  const add = () => {
    setChoices(isKnown ? choices.map((tag) => (tag.name.toLowerCase() === name.toLowerCase() ? { ...tag, on: true } : tag)) : withNext());
    setNext({ name: '', color: tagColors[(tagColors.indexOf(next.color) + 1) % tagColors.length] ?? 'blue' });
  };
  const save = () => {
    onClose();
    const steps = tagSteps(withNext(), sites, all);
    if (steps.length === 0) return;
    dispatch(changesListener);
    dispatch(siteChangesRequested({ steps, name: 'tags' }));
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby="site-tags" maxWidth="xs" fullWidth>
      <DialogTitle id="site-tags">{sites.length === 1 ? t('tags.titleOne', { name: sites[0]?.name ?? '' }) : t('tags.title', { n: sites.length })}</DialogTitle>
      <DialogContent>
        {choices.length === 0 && <p>{t('tags.none')}</p>}
        <ul className="tag-choices" aria-label={t('tags.label')}>
          {choices.map((tag) => (
            <TagRow key={tag.name} tag={tag} onChange={(change) => setChoices(choices.map((one) => (one.name === tag.name ? { ...one, ...change } : one)))} />
          ))}
        </ul>
        <form
          className="new-tag"
          onSubmit={(event) => {
            event.preventDefault();
            if (name !== '') add();
          }}
        >
          <TextField
            size="small"
            value={next.name}
            onChange={(event) => setNext({ ...next, name: event.target.value })}
            placeholder={t('tags.new')}
            autoFocus
            slotProps={{ htmlInput: { 'aria-label': t('tags.new'), maxLength: tagLimits.name, autoComplete: 'off' } }}
            sx={{ flex: 1 }}
          />
          <ColorSelect label={t('tags.color')} value={next.color} onChange={(color) => setNext({ ...next, color })} />
          <Button type="submit" variant="outlined" disabled={name === ''}>
            {t('tags.add')}
          </Button>
        </form>
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('tags.cancel')}</Button>
        <Button variant="contained" onClick={save}>
          {t('tags.save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
