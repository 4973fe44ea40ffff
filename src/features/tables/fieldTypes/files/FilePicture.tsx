import AttachFile from '@mui/icons-material/AttachFileOutlined';
import { useState } from 'react';
import type { ReactElement } from 'react';
import type { ResourceLabel } from '@contract/resources/labels';
import { pictureAddress } from './filesApi';

type Props = {
  readonly siteId: string;
  readonly file: ResourceLabel;
  readonly alt: string;
  readonly large?: boolean;
  /** For files without a picture, and for pictures that cannot be loaded. */ readonly fallback?: ReactElement | null;
};
const icon = <AttachFile fontSize="small" />;

/** The picture of an image or SVG, on its dominant colour until it has loaded. Where it is cut off, the focal point stays visible. */
export const FilePicture = ({ siteId, file, alt, large = false, fallback = icon }: Props): ReactElement | null => {
  const { sha256, color, width, height, focalX, focalY } = file;
  const [failed, setFailed] = useState<string | null>(null);
  const address = pictureAddress(siteId, file, large);
  if (address === null || failed === sha256) return fallback;
  return (
    <img
      src={address}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      {...(width === null || height === null ? {} : { width, height })}
      style={{ objectPosition: `${focalX * 100}% ${focalY * 100}%`, ...(color === null ? {} : { backgroundColor: color }) }}
      onError={() => setFailed(sha256)}
    />
  );
};
