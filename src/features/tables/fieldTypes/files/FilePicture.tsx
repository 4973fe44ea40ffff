import AttachFile from '@mui/icons-material/AttachFileOutlined';
import { useState } from 'react';
import type { ReactElement } from 'react';
import type { ResourceLabel } from '@contract/resources/labels';
import { pictureAddress } from './filesApi';

type Props = { readonly siteId: string; readonly file: ResourceLabel; readonly alt: string; readonly large?: boolean };

/** The picture of an image or SVG on its dominant colour until it has loaded; an icon for other files, and for pictures that cannot be loaded. */
export const FilePicture = ({ siteId, file, alt, large = false }: Props): ReactElement => {
  const { sha256, color, width, height } = file;
  const [failed, setFailed] = useState<string | null>(null);
  const address = pictureAddress(siteId, file, large);
  if (address === null || failed === sha256) return <AttachFile fontSize="small" />;
  return (
    <img
      src={address}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      {...(width === null || height === null ? {} : { width, height })}
      {...(color === null ? {} : { style: { backgroundColor: color } })}
      onError={() => setFailed(sha256)}
    />
  );
};
