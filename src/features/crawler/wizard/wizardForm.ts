import type { UseFormReturn } from 'react-hook-form';
import type { Draft } from './draft';

export type WizardForm = UseFormReturn<Draft, unknown, Draft>;
