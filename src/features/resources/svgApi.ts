import { resourceCalls } from '@contract/resources/calls';
import type { resourceEndpoints } from '@contract/resources/schemas';
import { api } from '@/store/api';
import { mutation, query, typed } from '@/store/endpoints';

const calls = typed<Pick<typeof resourceEndpoints, 'resourceSvg' | 'resourceSprite'>>(resourceCalls);

/** The source of an SVG with what cleaning removed from it, and sprites. */
export const svgApi = api.injectEndpoints({
  endpoints: (b) => ({
    resourceSvg: query(b, calls.resourceSvg, { providesTags: (_result, _error, { id }) => [{ type: 'Resource', id }] }),
    resourceSprite: mutation(b, calls.resourceSprite),
  }),
});

export const { useResourceSvgQuery } = svgApi;
