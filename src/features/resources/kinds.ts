import type { ResourceKind } from '@contract/resources/terms';
import { href } from '@/routes/paths';
import type { IconName } from '@/ui/Icon';

/** The screen of each kind. */
const screens = {
  image: 'site.resource.images',
  svg: 'site.resource.svgs',
  video: 'site.resource.videos',
  attachment: 'site.resource.attachments',
} as const satisfies Record<ResourceKind, string>;

/** The kind that the screen at an address shows. */
export const kindAt = (pathname: string): ResourceKind => (/\/(image|svg|video|attachment)s(?:\/|$)/.exec(pathname)?.[1] ?? 'image') as ResourceKind;

/** The address at which a resource is open. */
export const itemAddress = (siteId: string, { id, kind }: { readonly id: string; readonly kind: ResourceKind }): string =>
  `${href(screens[kind], { siteId })}?item=${id}`;

/** Whether resources of a kind are pictures, which have alternative texts and proportions. */
export const isPicture = (kind: ResourceKind): boolean => kind === 'image' || kind === 'svg';

/** The icon of each kind, where there is no picture. */
export const kindIcons = { image: 'image', svg: 'image', video: 'play', attachment: 'file' } as const satisfies Record<ResourceKind, IconName>;

/** What the file picker offers; anything may be dropped, and the content decides what it is. */
export const acceptOf = { image: 'image/*', svg: 'image/svg+xml', video: 'video/*', attachment: '' } as const satisfies Record<ResourceKind, string>;
