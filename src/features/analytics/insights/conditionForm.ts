import { GoalInput, FunnelInput, decimal } from '@contract/insights/schemas';
import type { Condition, Goal, pageMatches, propertyOps } from '@contract/insights/schemas';
import { z } from 'zod';

/** A condition as typed: all fields, whichever kind is chosen, so that switching between kinds loses nothing. */
export type TypedCondition = {
  readonly kind: 'page' | 'event';
  readonly match: (typeof pageMatches)[number];
  readonly path: string;
  readonly event: string;
  readonly withProperty: boolean;
  readonly property: { readonly name: string; readonly op: (typeof propertyOps)[number]; readonly value: string };
};
export const blankCondition: TypedCondition = {
  kind: 'page',
  match: 'is',
  path: '',
  event: '',
  withProperty: false,
  property: { name: '', op: 'is', value: '' },
};
export const typedCondition = (condition: Condition): TypedCondition =>
  condition.kind === 'page'
    ? { ...blankCondition, ...condition }
    : {
        ...blankCondition,
        kind: 'event',
        event: condition.event,
        withProperty: condition.property !== null,
        property: condition.property ?? blankCondition.property,
      };

const read = ({ kind, match, path, event, withProperty, property }: TypedCondition): unknown =>
  kind === 'page' ? { kind, match, path } : { kind, event, property: withProperty ? property : null };

export type TypedGoal = {
  readonly name: string;
  readonly condition: TypedCondition;
  readonly worth: { readonly kind: 'none' | 'fixed' | 'property'; readonly amount: string; readonly property: string };
};
export type ReadGoal = z.output<typeof GoalInput>;
export const typedGoal = (goal: Goal | null): TypedGoal => ({
  name: goal?.name ?? '',
  condition: goal ? typedCondition(goal.condition) : blankCondition,
  worth: {
    kind: goal?.worth.kind ?? 'none',
    amount: goal?.worth.kind === 'fixed' ? String(goal.worth.amount) : '',
    property: goal?.worth.kind === 'property' ? goal.worth.property : '',
  },
});
/** The contract's schema applied to the input; its errors keep the paths of the fields. */
export const goalForm = z.preprocess((typed) => {
  const { name, condition, worth } = typed as TypedGoal;
  // A page has no property: the choice made earlier for an event is ignored.
  const kind = condition.kind === 'page' && worth.kind === 'property' ? 'none' : worth.kind;
  const amount = worth.amount.trim() === '' ? undefined : decimal.test(worth.amount.trim()) ? Number(worth.amount) : worth.amount;
  return { name, condition: read(condition), worth: { kind, amount, property: worth.property } };
}, GoalInput) as unknown as z.ZodType<ReadGoal, TypedGoal>;

export type TypedFunnel = {
  readonly name: string;
  readonly steps: readonly TypedCondition[];
  /** Counted in `unit`. */ readonly within: string;
  readonly unit: 'minute' | 'hour' | 'day';
  readonly scope: 'visitor' | 'visit';
};
export type ReadFunnel = z.output<typeof FunnelInput>;
export const minutesOf = { minute: 1, hour: 60, day: 24 * 60 } as const;
export const funnelForm = z.preprocess((typed) => {
  const { name, steps, within, unit, scope } = typed as TypedFunnel;
  return { name, steps: steps.map(read), within: /^\d{1,6}$/.test(within.trim()) ? Number(within) * minutesOf[unit] : within, scope };
}, FunnelInput) as unknown as z.ZodType<ReadFunnel, TypedFunnel>;
