import type { TableImport } from '@contract/tables/transfers';
import type { Step } from './address';

/** The steps in which an import can be viewed now; the last one matches its state. Once writing has begun, the setup is closed. */
function stepsNow(it: Pick<TableImport, 'state' | 'batchId' | 'plan'> | null): readonly [Step, ...Step[]] {
  switch (it?.state) {
    case undefined:
    case 'uploading':
      return ['file'];
    case 'ready':
      return ['map', 'read'];
    case 'checking':
      return ['check'];
    case 'checked':
      return ['read', 'map', 'check'];
    case 'running':
      return ['run'];
    case 'failed':
    case 'cancelled':
      if (it?.batchId != null) return ['run'];
      return it?.plan == null ? ['map', 'read'] : ['read', 'map', 'check'];
    case 'done':
      return ['done'];
  }
}

/** The step to show: the requested one where it is available, else that of the import's state. */
export function stepOf(it: Pick<TableImport, 'state' | 'batchId' | 'plan'> | null, requestedStep: Step | ''): Step {
  const possible = stepsNow(it);
  return possible.find((step) => step === requestedStep) ?? possible.at(-1) ?? 'file';
}
