import { resourceCalls } from '@contract/resources/calls';
import { resourceContentCalls } from '@contract/resources/contentCalls';
import { editName } from '@contract/resources/editName';
import type { Resource, resourceEndpoints } from '@contract/resources/schemas';
import type { ResourcePreset } from '@contract/resources/terms';
import { api } from '@/store/api';
import { addressOf, mutation, query, requestOf, typed } from '@/store/endpoints';
import type { ArgumentsOf, OfSite, ResultOf } from '@/store/endpoints';

const calls = typed<typeof resourceEndpoints>({ ...resourceCalls, ...resourceContentCalls });
type OfOne = OfSite & { readonly id: string };
/** What a list shows: everything but the position in it. */
export type ResourceListQuery = Omit<ArgumentsOf<typeof resourceEndpoints.resources>, 'after'>;
type ResourcePage = ResultOf<typeof resourceEndpoints.resources>;

/** Tag of the list of a site, and of whatever changes with it. */
export const list = (_result: unknown, _error: unknown, { siteId }: OfSite) => [{ type: 'Resource' as const, id: `LIST ${siteId}` }];
const folders = (_result: unknown, _error: unknown, { siteId }: OfSite) => [{ type: 'ResourceFolder' as const, id: siteId }];
const tags = (_result: unknown, _error: unknown, { siteId }: OfSite) => [{ type: 'ResourceTag' as const, id: siteId }];
const one = (_result: unknown, _error: unknown, { id }: OfOne) => [{ type: 'Resource' as const, id }];
const listAndFolders = (...args: [unknown, unknown, OfSite]) => [...list(...args), ...folders(...args)];
const everything = (...args: [unknown, unknown, OfSite]) => [...listAndFolders(...args), ...tags(...args), 'Resource' as const];

/** Resources of a site: lists by cursor, folders and tags. Files are uploaded by `uploads/`. */
export const resourcesApi = api.injectEndpoints({
  endpoints: (b) => ({
    resources: b.infiniteQuery<ResourcePage, ResourceListQuery, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: (last) => last.after ?? undefined },
      query: ({ queryArg, pageParam }) => requestOf(calls.resources, { ...queryArg, ...(pageParam === null ? {} : { after: pageParam }) }),
      providesTags: list,
    }),
    resource: query(b, calls.resource, { providesTags: one }),
    changeResource: mutation(b, calls.changeResource, {
      invalidatesTags: (result, error, args) => [...listAndFolders(result, error, args), ...tags(result, error, args), ...one(result, error, args)],
    }),
    signResource: mutation(b, calls.signResource),
    moveResources: mutation(b, calls.moveResources, { invalidatesTags: everything }),
    tagResources: mutation(b, calls.tagResources, { invalidatesTags: everything }),
    removeResources: mutation(b, calls.removeResources, { invalidatesTags: everything }),
    restoreResources: mutation(b, calls.restoreResources, { invalidatesTags: everything }),
    purgeResources: mutation(b, calls.purgeResources, { invalidatesTags: everything }),
    resourceFolders: query(b, calls.resourceFolders, { providesTags: folders }),
    addResourceFolder: mutation(b, calls.addResourceFolder, { invalidatesTags: folders }),
    changeResourceFolder: mutation(b, calls.changeResourceFolder, { invalidatesTags: folders }),
    removeResourceFolder: mutation(b, calls.removeResourceFolder, { invalidatesTags: listAndFolders }),
    resourceTags: query(b, calls.resourceTags, { providesTags: tags }),
    addKnownResource: mutation(b, calls.addKnownResource, { invalidatesTags: listAndFolders }),
    finishResourceUpload: mutation(b, calls.finishResourceUpload, {
      // It may have replaced the content of a resource that is open.
      invalidatesTags: (result, error, args) => [...listAndFolders(result, error, args), ...(result ? one(result, error, { ...args, id: result.id }) : [])],
    }),
  }),
});

export const {
  useResourcesInfiniteQuery,
  useResourceQuery,
  useChangeResourceMutation,
  useSignResourceMutation,
  useResourceFoldersQuery,
  useAddResourceFolderMutation,
  useChangeResourceFolderMutation,
  useRemoveResourceFolderMutation,
  useResourceTagsQuery,
} = resourcesApi;

/** Refetches all that screens show of a site's resources, after a change by somebody else. */
export const resourcesChanged = (siteId: string) =>
  resourcesApi.util.invalidateTags([
    { type: 'Resource', id: `LIST ${siteId}` },
    { type: 'ResourceFolder', id: siteId },
    { type: 'ResourceTag', id: siteId },
  ]);

/** The address of the original, cleaned if it is an SVG; it changes with the content, so that browsers may store it for good. */
export const contentAddress = (siteId: string, resource: Pick<Resource, 'id' | 'sha256'>): string =>
  addressOf(calls.resourceContent, { siteId, id: resource.id, v: resource.sha256.slice(0, 8) });
/** Where the file is downloaded as it was uploaded. */
export const downloadAddress = (siteId: string, resource: Pick<Resource, 'id' | 'sha256'>): string =>
  addressOf(calls.resourceContent, { siteId, id: resource.id, v: resource.sha256.slice(0, 8), download: 'true' });
/** What an address of a picture depends on. */
export type Pictured = Pick<Resource, 'id' | 'sha256' | 'rotation' | 'crop'>;
export const variantAddress = (siteId: string, resource: Pictured, preset: ResourcePreset): string =>
  addressOf(calls.resourceVariant, { siteId, id: resource.id, preset, v: resource.sha256.slice(0, 8), edit: editName(resource) });
/** The picture as it was uploaded, neither turned nor cropped. */
export const plainAddress = (siteId: string, resource: Pictured, preset: ResourcePreset): string =>
  addressOf(calls.resourceVariant, { siteId, id: resource.id, preset, v: resource.sha256.slice(0, 8), plain: 'true' });
/** Where uploads of a site begin (tus). */
export const uploadsAddress = (siteId: string): string => addressOf(calls.createResourceUpload, { siteId });
