import { robotsCalls } from '@contract/seo/robotsCalls';
import type { robotsEndpoints } from '@contract/seo/robotsSchemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof robotsEndpoints>(robotsCalls);
const changes = { invalidatesTags: ['Robots' as const] };

/** robots.txt of a site; loaded with its tab. */
export const robotsApi = api.enhanceEndpoints({ addTagTypes: ['Robots'] }).injectEndpoints({
  endpoints: (b) => ({
    robots: query(b, calls.robots, { providesTags: ['Robots'] }),
    robotsVersions: query(b, calls.robotsVersions, { providesTags: ['Robots'] }),
    robotsWhatIf: mutation(b, calls.robotsWhatIf),
    changeRobots: mutation(b, calls.changeRobots, changes),
    restoreRobots: mutation(b, calls.restoreRobots, changes),
  }),
});

export const { useRobotsQuery, useRobotsVersionsQuery, useRobotsWhatIfMutation, useChangeRobotsMutation, useRestoreRobotsMutation } = robotsApi;
