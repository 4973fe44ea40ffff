import { useState } from 'react';
import type { Site } from '@contract/sites/schemas';
import type { ConversionPlan } from '@contract/tables/conversion';
import { optionsOf } from '@contract/tables/schemas';
import type { ContentTable, FieldOptions, TableField } from '@contract/tables/schemas';
import type { FieldType } from '@contract/tables/terms';
import { useDraft } from '@/features/session/useDraft';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import type { FieldErrors } from '@/features/tables/schema/fields/editing';
import { newDraft } from '@/features/tables/schema/fields/fieldDraft';
import { usePlanConversionMutation, useStartConversionMutation } from './conversionApi';

export type ConversionTarget = { readonly site: Site; readonly table: ContentTable; readonly field: TableField; readonly type: FieldType };
type Settings = { readonly options: FieldOptions; readonly addChoices: boolean };

/** The initial options of a new type: its defaults, and the old type's options that it also has, such as limits, choices and units. */
const carriedOptions = (field: TableField, type: FieldType): FieldOptions => {
  const names: readonly string[] = optionsOf[type];
  const same = Object.entries(field.options).filter(([name]) => names.includes(name));
  return { ...newDraft(type).options, ...Object.fromEntries(same) };
};

/** A conversion before it starts: its options, the plan from a dry run, the treatment of values that do not fit, and the start. */
export function useConversionTrial({ site, table, field, type }: ConversionTarget, onStarted: () => void) {
  const stored = useDraft<Settings>(`convert:${field.id}:${type}`);
  const [settings, setSettings] = useState<Settings>(() => stored.restored ?? { options: carriedOptions(field, type), addChoices: true });
  const [plan, setPlan] = useState<ConversionPlan | null>(null);
  /** Revision of the table when the plan was requested: only the plan that was shown is carried out. */
  const [planRevision, setPlanRevision] = useState(table.revision);
  const [misfits, setMisfits] = useState<'refuse' | 'empty'>('refuse');
  const [dropUnique, setDropUnique] = useState(false);
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  /** Message key of a refusal that has its own text. */
  const [refusal, setRefusal] = useState<'stale' | 'busyOther' | null>(null);
  const [requestPlan, planning] = usePlanConversionMutation();
  const [requestStart, starting] = useStartConversionMutation();
  const at = { siteId: site.id, table: table.id, field: field.id };
  const body = { type, ...settings };
  const showRefused = (error: unknown) => {
    if (!isFailure(error)) return;
    if (isStale(error)) {
      setRefusal('stale');
      setPlan(null);
    } else if (error.code === 'conflict') setRefusal('busyOther');
    else if (error.fields && Object.keys(error.fields).length > 0) setFieldErrors(error.fields);
    else setFailure(error);
  };
  const isUndecided = plan !== null && plan.counts.failing > 0 && misfits === 'refuse';
  return {
    settings,
    plan,
    misfits,
    dropUnique,
    fieldErrors,
    failure,
    refusal,
    planning: planning.isLoading,
    starting: starting.isLoading,
    /** The plan requires no further decision. */
    startable: plan !== null && plan.blocked.length === 0 && !isUndecided && (plan.duplicates === 0 || dropUnique),
    setMisfits,
    setDropUnique,
    change: (part: Partial<Settings>): void => {
      const next = { ...settings, ...part };
      setSettings(next);
      stored.keep(next);
      setPlan(null);
      setFieldErrors({});
    },
    tryOut: async (): Promise<void> => {
      setFailure(null);
      setRefusal(null);
      setFieldErrors({});
      setPlanRevision(table.revision);
      const { data, error } = await requestPlan({ ...at, body });
      if (data) setPlan(data);
      else showRefused(error);
    },
    start: async (): Promise<void> => {
      setFailure(null);
      setRefusal(null);
      const { data, error } = await requestStart({ ...at, revision: planRevision, body: { ...body, misfits, keepUnique: !dropUnique } });
      if (data) {
        stored.drop();
        onStarted();
      } else showRefused(error);
    },
  };
}
export type ConversionTrial = ReturnType<typeof useConversionTrial>;
