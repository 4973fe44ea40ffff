import { Box, Button } from '@mui/material';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { isComputed, tableLimits } from '@contract/tables/terms';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { useConfirm } from '@/ui/confirmContext';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { ChooseLine } from '../parts/controls';
import { useFaults } from './editing';
import './layout.css';
import { partChanged, partMoved, putField, stepped, withPart, withoutPart, zonesOf } from './layoutDraft';
import type { LayoutDraft } from './layoutDraft';
import { LayoutPart, LooseFields, placeAt } from './LayoutPart';
import type { Target } from './LayoutPart';
import { LayoutPreview } from './LayoutPreview';
import { useDragged } from './useDragged';
import { useLayoutDraft } from './useLayoutDraft';
import { useLayoutWords } from './useLayoutWords';

/** How the form of a table's records is arranged, beside what it will look like. Saved as a whole; what is not saved stays a draft of the tab. */
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
  const confirm = useConfirm();
  const work = useLayoutDraft(site, table);
  const { draft, change } = work;
  const blocker = useUnsavedWork(work.dirty);
  const fault = useFaults(work.faults);
  const [said, setSaid] = useState('');
  const box = useRef<HTMLDivElement>(null);
  /** What gets the focus when it is there again. */
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    box.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = null;
  });

  const zones = zonesOf(draft, table);
  const fieldsOf = (zone: string): readonly TableField[] =>
    (zones.find(([one]) => one === zone)?.[1] ?? []).flatMap((id) => table.fields.find((field) => field.id === id) ?? []);
  const tell = (next: LayoutDraft, field: TableField): void => {
    const [zone, ids] = zonesOf(next, table).find(([, some]) => some.includes(field.id)) ?? ['rest', []];
    const part = next.parts.find(({ uid }) => zone === `p:${uid}`);
    setSaid(
      part
        ? t('layout.moved', { name: field.title, section: part.title.trim() || t('layout.untitled'), at: ids.indexOf(field.id) + 1 })
        : t('layout.movedTo', { name: field.title, section: t(zone === 'hidden' ? 'layout.hidden' : 'layout.rest') }),
    );
  };
  const arrange = (next: LayoutDraft, field: TableField): void => {
    if (next === draft) return;
    change(next);
    tell(next, field);
  };
  const drag = useDragged<Target>(placeAt, (id, { zone, before }) => {
    const field = table.fields.find((one) => one.id === id);
    if (field) arrange(putField(draft, id, zone, before), field);
  });
  const grip = (field: TableField): void => {
    wanted.current = `[data-layout-grip="${field.id}"]`;
  };
  const step = (field: TableField, by: -1 | 1): void => {
    // It is another element where it comes into another list.
    grip(field);
    arrange(stepped(draft, table, field.id, by), field);
  };
  const show = (field: TableField): void => {
    grip(field);
    const last = draft.parts.at(-1);
    if (last) arrange(putField(draft, field.id, `p:${last.uid}`, null), field);
  };
  const undo = (): void => {
    if (work.undo()) setSaid(t('layout.undone'));
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'z') return;
    // In a text it is the browser's own.
    if (event.target instanceof HTMLElement && event.target.closest('input:not([type="checkbox"]), textarea, [contenteditable], [role="dialog"]')) return;
    event.preventDefault();
    undo();
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
  const tabs = draft.style === 'tabs';
  const save = (): void => {
    const untitled = draft.parts.flatMap((part, i) => (part.title.trim() === '' && (tabs || part.collapsed) ? [[i, part.uid] as const] : []));
    if (untitled[0]) {
      work.refuse(Object.fromEntries(untitled.map(([i]) => [`layout.sections.${String(i)}.title`, { code: 'required' as const }])));
      wanted.current = `[data-layout-title="${String(untitled[0][1])}"] input`;
    } else if (!work.busy) void work.save();
  };
  const reset = async (): Promise<void> => {
    if (await confirm({ title: t('layout.resetTitle'), body: t('layout.resetText'), confirm: t('layout.reset'), danger: true })) await work.reset();
  };
  const titleFault = (i: number): string | undefined => {
    const path = `layout.sections.${String(i)}.title`;
    return work.faults[path]?.code === 'required' ? t('layout.titleNeeded') : fault(path);
  };
  /** Refused, and at no control of its own. */
  const others = Object.keys(work.faults).filter((path) => !/^layout\.sections\.\d+\.(title|note)$/.test(path));
  const lost = fieldsOf('hidden').filter((field) => field.required && field.default === null && !isComputed(field.type) && field.type !== 'inverse');
  const full = draft.parts.length >= tableLimits.sections;
  const common = { drag, disabled: !mayDesign, onStep: step };
  const wordsOf = useLayoutWords(table);
  return (
    <div ref={box} className="layout-both">
      <form
        className="layout-form"
        noValidate
        aria-label={t('layout.of', { table: table.title })}
        onSubmit={(event) => {
          event.preventDefault();
          if (mayDesign) save();
        }}
      >
        <p className="design-quiet">{t('layout.lead')}</p>
        {work.restored && (
          <p className="design-quiet" role="status">
            {t('layout.restored')}
          </p>
        )}
        {work.merge && (
          <StaleNotice
            differences={wordsOf(work.merge.differences)}
            onKeepMine={work.keepMine}
            onTakeTheirs={work.discard}
            onMerge={
              work.merge.merged &&
              (() => {
                work.takeBoth();
                setSaid(t('layout.merged'));
                wanted.current = '[data-layout-undo]';
              })
            }
          />
        )}
        {work.failure && <ErrorPanel title={t('failed')} failure={work.failure} />}
        {others.length > 0 && (
          <div className="error-panel" role="alert">
            <p>{t('edit.faultsTitle')}</p>
            {others.map((path) => (
              <p key={path}>{fault(path)}</p>
            ))}
          </div>
        )}
        <div className="layout-bar">
          <ChooseLine
            label={t('layout.style')}
            value={draft.style}
            options={(['groups', 'tabs'] as const).map((id) => ({ id, name: t(`layout.styles.${id}`) }))}
            disabled={!mayDesign}
            onChange={(style) => change({ ...draft, style })}
          />
          {mayDesign && (
            <>
              <Button size="small" data-layout-undo="" disabled={!work.canUndo} onClick={undo}>
                {t('layout.undo')}
              </Button>
              {table.layout && (
                <Button size="small" disabled={work.busy} onClick={() => void reset()}>
                  {t('layout.reset')}
                </Button>
              )}
            </>
          )}
        </div>
        {draft.parts.map((part, i) => (
          <LayoutPart
            key={part.uid}
            {...common}
            part={part}
            zone={`p:${part.uid}`}
            fields={fieldsOf(`p:${String(part.uid)}`)}
            at={i}
            count={draft.parts.length}
            tabs={tabs}
            titleFault={titleFault(i)}
            noteFault={fault(`layout.sections.${String(i)}.note`)}
            onChange={(parts, tag) => change(partChanged(draft, part.uid, parts), tag && `${tag}:${String(part.uid)}`)}
            onMove={(by) => {
              change(partMoved(draft, part.uid, by));
              setSaid(t('layout.sectionMoved', { name: part.title.trim() || t('layout.untitled'), at: i + by + 1 }));
            }}
            onRemove={() => {
              // Its button goes; what takes it back is at hand.
              wanted.current = '[data-layout-undo]';
              change(withoutPart(draft, part.uid));
            }}
            onWidth={(field, width) =>
              change(partChanged(draft, part.uid, { items: part.items.map((item) => (item.field === field ? { field, width } : item)) }))
            }
            onHide={(field) => {
              grip(field);
              arrange(putField(draft, field.id, 'hidden', null), field);
            }}
          />
        ))}
        {mayDesign && (
          <div className="design-line">
            <Button
              size="small"
              variant="outlined"
              disabled={full}
              onClick={() => {
                const next = withPart(draft, t('layout.newTitle'));
                wanted.current = `[data-layout-title="${String(next.parts.at(-1)?.uid)}"] input`;
                change(next);
              }}
            >
              {t('layout.add')}
            </Button>
            {full && <span className="design-quiet">{t('layout.most', { count: tableLimits.sections })}</span>}
          </div>
        )}
        <LooseFields {...common} zone="rest" title={t('layout.rest')} text={t('layout.restText')} fields={fieldsOf('rest')} onShow={show} />
        <LooseFields {...common} zone="hidden" title={t('layout.hidden')} text={t('layout.hiddenText')} fields={fieldsOf('hidden')} onShow={show} />
        {lost.length > 0 && (
          <p role="status" className="layout-warning">
            {t('layout.required', { count: lost.length, names: lost.map(({ title }) => title).join(t('layout.comma')) })}
          </p>
        )}
        <SaveBar dirty={work.dirty && !work.merge} saving={work.busy} saveLabel={t('layout.save')} onDiscard={work.discard} />
        <p className="heard" role="status">
          {said}
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
