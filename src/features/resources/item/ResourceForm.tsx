import { useEffect, useEffectEvent, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Location } from 'react-router-dom';
import { z } from 'zod';
import { rotations, storedCrop } from '@contract/resources/edits';
import { ResourceChange } from '@contract/resources/schemas';
import type { Resource } from '@contract/resources/schemas';
import { allVisibilities, resourceLimits, resourceVisibilities } from '@contract/resources/terms';
import type { ResourceKind } from '@contract/resources/terms';
import { safeName } from '@contract/text';
import type { Site } from '@contract/sites/schemas';
import { selectLanguages } from '@/features/languages/languagesSlice';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/lib/failure';
import { useLanguageName } from '@/lib/languageName';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FilterSelect } from '@/ui/FilterSelect';
import { Form } from '@/ui/form/Form';
import { SelectField } from '@/ui/form/SelectField';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useSubmit } from '@/ui/form/useSubmit';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { useChangeResourceMutation } from '../resourcesApi';
import { splitTags } from '../tagText';
import { useItemDifferences } from './useItemDifferences';
import type { Edit } from './imageEdit';
import { ImageEditor } from './ImageEditor';

/** Everything a person can write about a resource; tags as one text. */
const ResourceValues = ResourceChange.pick({
  title: true,
  alt: true,
  caption: true,
  focalX: true,
  focalY: true,
  rotation: true,
  crop: true,
})
  .required()
  .extend({
    name: safeName(resourceLimits.name),
    visibility: z.enum(allVisibilities),
    tags: z.string().pipe(z.preprocess((text) => splitTags(text), z.array(safeName(resourceLimits.tag)).max(resourceLimits.tags))),
  });
type Values = z.input<typeof ResourceValues>;

/** Each language has a value, or the form could not be compared with the stored texts. */
const inEach = (languages: readonly string[], texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(languages.map((language) => [language, texts[language] ?? '']));

const valuesOf = ({ name, title, alt, caption, tags, focalX, focalY, rotation, crop, visibility }: Resource, languages: readonly string[]): Values => ({
  name,
  title: inEach(languages, title),
  alt: inEach(languages, alt),
  caption: inEach(languages, caption),
  tags: tags.join(', '),
  focalX,
  focalY,
  rotation: rotations.find((one) => one === rotation) ?? 0,
  crop,
  visibility,
});

/** The site's own language, and those in which something has been written. */
const languagesOf = (site: Site, { title, alt, caption }: Resource): readonly string[] => [
  ...new Set([site.defaultLang, ...Object.keys(title), ...Object.keys(alt), ...Object.keys(caption)]),
];

type FormOfResource = ContractForm<Values, z.output<typeof ResourceValues>>;

/**
 * Saves a resource over the revision whose values the form shows; `theirs` is the version that somebody else has saved meanwhile. `onShow` shows the values of a
 * version.
 */
function useSaving(form: FormOfResource, siteId: string, resource: Resource, onShow: (version: Resource) => void) {
  const dispatch = useAppDispatch();
  const [revision, setRevision] = useState(resource.revision);
  const [theirs, setTheirs] = useState<Resource | null>(null);
  const [change] = useChangeResourceMutation();
  const { submit, busy, failure } = useSubmit(form, {
    send: async (values: z.output<typeof ResourceValues>) => {
      const { rotation, crop, visibility, ...rest } = values;
      // Other kinds can neither be turned nor cropped, and what is confidential stays so.
      const body = { ...rest, ...(resource.kind === 'image' && { rotation, crop }), ...(visibility !== 'confidential' && { visibility }) };
      const { data, error } = await change({ siteId, id: resource.id, revision: theirs?.revision ?? revision, body });
      const isStaleNow = isFailure(error) && isStale(error) && error.current !== undefined;
      setTheirs(isStaleNow ? (error.current as Resource) : null);
      return { data, error };
    },
    onSuccess: (saved: Resource) => {
      take(saved);
      dispatch(noticeShown({ tone: 'good', message: { key: 'resources:done.saved', values: { name: saved.name } } }));
    },
  });
  const take = (version: Resource): void => {
    onShow(version);
    setRevision(version.revision);
    setTheirs(null);
  };
  const { isDirty } = useFormState({ control: form.control });
  const takeNewer = useEffectEvent(() => take(resource));
  // A replaced file, for example; what somebody has typed stays.
  useEffect(() => {
    if (resource.revision > revision && !isDirty) takeNewer();
  }, [resource.revision, revision, isDirty]);
  return { submit, busy, failure, theirs, take };
}

/** Alternative text, title and caption in one language. */
function TextsIn({
  form,
  kind,
  language,
  readOnly,
}: {
  readonly form: FormOfResource;
  readonly kind: ResourceKind;
  readonly language: string;
  readonly readOnly: boolean;
}): ReactElement {
  const { t } = useTranslation('resources');
  const languageName = useLanguageName();
  const field = { control: form.control, optional: true, readOnly, maxLength: resourceLimits.text } as const;
  return (
    <fieldset className="field-group">
      <legend className="field-label">{languageName(language)}</legend>
      {kind !== 'attachment' && <TextField {...field} name={`alt.${language}`} label={t('item.alt')} help={t('item.altHelp')} />}
      <TextField {...field} name={`title.${language}`} label={t('item.title')} />
      <TextField {...field} name={`caption.${language}`} label={t('item.caption')} multiline maxRows={6} maxLength={resourceLimits.caption} />
    </fieldset>
  );
}

function EditImage({
  form,
  siteId,
  resource,
  mayWrite,
}: { readonly form: FormOfResource; readonly siteId: string } & Omit<Props, 'site' | 'children'>): ReactElement {
  const [rotation, crop, focalX, focalY] = useWatch({ control: form.control, name: ['rotation', 'crop', 'focalX', 'focalY'] });
  const change = (edit: Edit): void => {
    const options = { shouldDirty: true };
    form.setValue('rotation', rotations.find((one) => one === edit.rotation) ?? 0, options);
    form.setValue('crop', edit.crop && storedCrop(edit.crop), options);
    form.setValue('focalX', edit.focalX, options);
    form.setValue('focalY', edit.focalY, options);
  };
  return (
    <ImageEditor key={resource.sha256} siteId={siteId} resource={resource} edit={{ rotation, crop, focalX, focalY }} onChange={mayWrite ? change : null} />
  );
}

type Props = {
  readonly site: Site;
  readonly resource: Resource;
  readonly mayWrite: boolean;
  /** Between the picture and the fields. */
  readonly children?: ReactNode;
};

/** Compares what the form holds with the version that somebody else has saved meanwhile. */
function StaleResource({
  form,
  theirs,
  onKeepMine,
  onTakeTheirs,
}: {
  readonly form: FormOfResource;
  readonly theirs: Resource;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}): ReactElement {
  const differencesOf = useItemDifferences();
  // What is typed while the comparison is visible belongs to it.
  useWatch({ control: form.control });
  const { tags, ...mine } = form.getValues();
  return <StaleNotice differences={differencesOf({ ...mine, tags: splitTags(tags) }, theirs)} onKeepMine={onKeepMine} onTakeTheirs={onTakeTheirs} />;
}

/** The form is open as long as the address names its resource. */
const itemAt = ({ pathname, search }: Location): string => `${pathname} ${new URLSearchParams(search).get('item') ?? ''}`;

/** Name, texts in each language, tags and visibility of a resource, and how an image is shown. Asks before unsaved changes are discarded. */
export function ResourceForm({ site, resource, mayWrite, children }: Props): ReactElement {
  const { t } = useTranslation('resources');
  const languageName = useLanguageName();
  const all = useAppSelector(selectLanguages);
  const [languages, setLanguages] = useState(() => languagesOf(site, resource));
  const form = useContractForm(ResourceValues, { defaultValues: valuesOf(resource, languages) });
  const { control } = form;
  const { isDirty } = useFormState({ control });
  const blocker = useUnsavedWork(isDirty, itemAt);
  const show = (version: Resource): void => form.reset(valuesOf(version, languages));
  const { submit, busy, failure, theirs, take } = useSaving(form, site.id, resource, show);
  const addLanguage = (code: string): void => {
    for (const field of ['title', 'alt', 'caption'] as const) form.setValue(`${field}.${code}`, '');
    setLanguages([...languages, code]);
  };
  const others = all.filter(({ code }) => !languages.includes(code));
  const texts = { form, kind: resource.kind, readOnly: !mayWrite } as const;
  return (
    <Form form={form} onSubmit={submit} label={t('item.edit')}>
      <div className="resource-item">
        {theirs && <StaleResource form={form} theirs={theirs} onKeepMine={() => void form.handleSubmit(submit)()} onTakeTheirs={() => take(theirs)} />}
        {failure && !theirs && <ErrorPanel failure={failure} />}
        {resource.kind === 'image' && <EditImage form={form} siteId={site.id} resource={resource} mayWrite={mayWrite} />}
        {children}
        <div className="resource-form">
          {languages.map((language) => (
            <TextsIn key={language} {...texts} language={language} />
          ))}
          {mayWrite && others.length > 0 && (
            <FilterSelect
              label={t('item.addLanguage')}
              value=""
              choices={[{ value: '', label: t('item.addLanguage') }, ...others.map(({ code }) => ({ value: code, label: languageName(code) }))]}
              onChoose={addLanguage}
            />
          )}
          <TextField control={control} name="name" label={t('item.name')} maxLength={resourceLimits.name} readOnly={!mayWrite} />
          <TextField control={control} name="tags" label={t('item.tags')} help={t('tags.help')} optional readOnly={!mayWrite} />
          {resource.visibility === 'confidential' && (
            <p role="note">
              {t('visibility.confidential')}. {t('visibility.confidentialText')}
            </p>
          )}
          {mayWrite && resource.visibility !== 'confidential' && (
            <SelectField
              control={control}
              name="visibility"
              label={t('visibility.label')}
              help={t('visibility.help')}
              choices={resourceVisibilities.map((value) => ({ value, label: t(`visibility.${value}`) }))}
            />
          )}
        </div>
      </div>
      {mayWrite && <SaveBar dirty={isDirty} saving={busy} onDiscard={() => show(resource)} />}
      <LeaveDialog blocker={blocker} />
    </Form>
  );
}
