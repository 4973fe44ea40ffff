import type { TableImport } from '@contract/tables/transfers';
import type { Step } from './address';

/** Which steps an import can be looked at in now; the last one is where it stands. What has begun to write is not set up anew. */
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

/** The step to be shown: the asked one where it is possible, else where the import stands. */
export function stepOf(it: Pick<TableImport, 'state' | 'batchId' | 'plan'> | null, asked: Step | ''): Step {
  const possible = stepsNow(it);
  return possible.find((step) => step === asked) ?? possible.at(-1) ?? 'file';
}
