import type { publishingEndpoints } from '@contract/publishing/schemas';
import type { ResultOf } from '@/store/endpoints';

/** What the next release would change. */
export type Unreleased = ResultOf<(typeof publishingEndpoints)['unreleased']>;
export type UnreleasedTable = Unreleased['tables'][number];
