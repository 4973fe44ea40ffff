import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { isComputed, tableLimits } from '@contract/tables/terms';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { ChooseLine } from '@/features/tables/parts/controls';
import { useErrorAt } from './editing';
import './layout.css';
import { zoneOf, zonesOf } from './layoutDraft';
import type { Zone } from './layoutDraft';
import { LayoutPart, LooseFields } from './LayoutPart';
import { LayoutPreview } from './LayoutPreview';
import { useLayoutDifferenceLabels } from './useLayoutDifferenceLabels';
import { useLayoutEditing } from './useLayoutEditing';
import type { LayoutEditing } from './useLayoutEditing';

type OfTable = { readonly table: ContentTable; readonly editing: LayoutEditing };

/** Notices above the designer: a restored draft, a layout saved by somebody else, a failed save, errors that belong to no control. */
const Notices = ({ table, editing }: OfTable): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { work } = editing;
  const differenceLabels = useLayoutDifferenceLabels(table);
  const errorAt = useErrorAt(work.fieldErrors);
  const otherPaths = Object.keys(work.fieldErrors).filter((path) => !/^layout\.sections\.\d+\.(title|note)$/.test(path));
  return (
    <>
      {work.restored && (
        <p className="design-quiet" role="status">
          {t('layout.restored')}
        </p>
      )}
      {work.merge && (
        <StaleNotice
          differences={differenceLabels(work.merge.differences)}
          onKeepMine={work.keepMine}
          onTakeTheirs={work.discard}
          onMerge={work.merge.merged && editing.merge}
        />
      )}
      {work.failure && <ErrorPanel title={t('failed')} failure={work.failure} />}
      {otherPaths.length > 0 && (
        <div className="error-panel" role="alert">
          <p>{t('edit.errorsTitle')}</p>
          {otherPaths.map((path) => (
            <p key={path}>{errorAt(path)}</p>
          ))}
        </div>
      )}
    </>
  );
};

/** The style of the whole form, with undo and reset. */
const Toolbar = ({ table, editing, mayDesign }: OfTable & { readonly mayDesign: boolean }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { work } = editing;
  return (
    <div className="layout-bar">
      <ChooseLine
        label={t('layout.style')}
        value={work.draft.style}
        options={(['groups', 'tabs'] as const).map((id) => ({ id, name: t(`layout.styles.${id}`) }))}
        disabled={!mayDesign}
        onChange={(style) => work.change({ ...work.draft, style })}
      />
      {mayDesign && (
        <>
          <Button data-layout-undo="" disabled={!work.canUndo} onClick={editing.undo}>
            {t('layout.undo')}
          </Button>
          {table.layout && (
            <Button disabled={work.busy} onClick={() => void editing.reset()}>
              {t('layout.reset')}
            </Button>
          )}
        </>
      )}
    </div>
  );
};

const AddSection = ({ editing }: { readonly editing: LayoutEditing }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const full = editing.work.draft.parts.length >= tableLimits.sections;
  return (
    <div className="design-line">
      <Button variant="outlined" disabled={full} onClick={editing.addSection}>
        {t('layout.add')}
      </Button>
      {full && <span className="design-quiet">{t('layout.most', { count: tableLimits.sections })}</span>}
    </div>
  );
};

/** The sections with their fields, and the fields that are in none. */
const Zones = ({ table, editing, mayDesign }: OfTable & { readonly mayDesign: boolean }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { draft, fieldErrors } = editing.work;
  const errorAt = useErrorAt(fieldErrors);
  const zones = zonesOf(draft, table);
  const fieldsOf = (zone: Zone): readonly TableField[] =>
    (zones.find(([one]) => one === zone)?.[1] ?? []).flatMap((id) => table.fields.find((field) => field.id === id) ?? []);
  const titleError = (at: number): string | undefined => {
    const path = `layout.sections.${String(at)}.title`;
    return fieldErrors[path]?.code === 'required' ? t('layout.titleNeeded') : errorAt(path);
  };
  const unfillable = fieldsOf('hidden').filter((field) => field.required && field.default === null && !isComputed(field.type) && field.type !== 'inverse');
  const common = { drag: editing.drag, disabled: !mayDesign, onStep: editing.step };
  return (
    <>
      {draft.parts.map((part, at) => (
        <LayoutPart
          key={part.uid}
          {...common}
          editing={editing}
          part={part}
          at={at}
          fields={fieldsOf(zoneOf(part))}
          titleError={titleError(at)}
          noteError={errorAt(`layout.sections.${String(at)}.note`)}
        />
      ))}
      {mayDesign && <AddSection editing={editing} />}
      <LooseFields {...common} zone="rest" title={t('layout.rest')} text={t('layout.restText')} fields={fieldsOf('rest')} onShow={editing.show} />
      <LooseFields {...common} zone="hidden" title={t('layout.hidden')} text={t('layout.hiddenText')} fields={fieldsOf('hidden')} onShow={editing.show} />
      {unfillable.length > 0 && (
        <p role="status" className="layout-warning">
          {t('layout.required', { count: unfillable.length, names: unfillable.map(({ title }) => title).join(t('layout.comma')) })}
        </p>
      )}
    </>
  );
};

/** Designer of a table's form layout, with a preview. Saved as a whole; unsaved changes are kept as a draft of the tab. */
export const LayoutDesigner = ({
  site,
  tables,
  table,
  mayDesign,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly mayDesign: boolean;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { container, ...editing } = useLayoutEditing(site, table);
  const { work } = editing;
  const blocker = useUnsavedWork(work.dirty);
  return (
    <div ref={container} className="layout-both">
      <form
        className="layout-form"
        noValidate
        aria-label={t('layout.of', { table: table.title })}
        onSubmit={(event) => {
          event.preventDefault();
          if (mayDesign) editing.save();
        }}
      >
        <p className="design-quiet">{t('layout.lead')}</p>
        <Notices table={table} editing={editing} />
        <Toolbar table={table} editing={editing} mayDesign={mayDesign} />
        <Zones table={table} editing={editing} mayDesign={mayDesign} />
        <SaveBar dirty={work.dirty && !work.merge} saving={work.busy} saveLabel={t('layout.save')} onDiscard={work.discard} />
        <p className="heard" role="status">
          {editing.announcement}
        </p>
      </form>
      <Box component="section" className="layout-preview" tabIndex={0} aria-label={t('layout.preview')}>
        <h2>{t('layout.preview')}</h2>
        <p className="design-quiet">{t('layout.previewText')}</p>
        <LayoutPreview site={site} tables={tables} table={table} layout={work.layout} />
      </Box>
      <LeaveDialog blocker={blocker} />
    </div>
  );
};
