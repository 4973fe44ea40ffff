import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactElement, WheelEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Bone } from '@/ui/skeletons';
import { useChangeAvatarMutation } from '../accountApi';
import { drawCrop, firstCrop, mostZoom, moveCrop, pngOf, zoomCrop } from './crop';
import type { Crop } from './crop';

/** Side of the displayed square, CSS pixels. */
const edge = 264;
const moves: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The opened image and its crop. `onRefuse`: the file is not an image that the browser can open. */
function usePicture(file: File, onRefuse: () => void) {
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [crop, setCrop] = useState<Crop | null>(null);
  const refuse = useEffectEvent(onRefuse);
  useEffect(() => {
    let gone = false;
    let opened: ImageBitmap | null = null;
    createImageBitmap(file).then(
      (bitmap) => {
        opened = bitmap;
        if (gone) return bitmap.close();
        setPicture(bitmap);
        setCrop(firstCrop(bitmap));
      },
      () => {
        if (!gone) refuse();
      },
    );
    return () => {
      gone = true;
      opened?.close();
    };
  }, [file]);
  const change = (next: CropChange) => {
    if (picture) setCrop((before) => before && next(before, picture));
  };
  return { picture, crop, change };
}

type CropChange = (before: Crop, size: ImageBitmap) => Crop;
type CropProps = { readonly picture: ImageBitmap | null; readonly crop: Crop | null; readonly change: (next: CropChange) => void };

/** The handlers that move and zoom the crop: by pointer, wheel and keyboard. */
function useCropHandlers(change: CropProps['change']) {
  const held = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const release = () => {
    held.current = null;
  };
  return {
    onKeyDown: (event: KeyboardEvent) => {
      const move = moves[event.key];
      if (move) change((before, size) => moveCrop(size, before, move[0] * 0.05, move[1] * 0.05));
      else if (event.key === '+' || event.key === '=') change((before, size) => zoomCrop(size, before, before.zoom * 1.1));
      else if (event.key === '-') change((before, size) => zoomCrop(size, before, before.zoom / 1.1));
      else return;
      event.preventDefault();
    },
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      held.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
      const from = held.current;
      if (!from) return;
      held.current = { x: event.clientX, y: event.clientY };
      const side = event.currentTarget.clientWidth || edge;
      change((before, size) => moveCrop(size, before, (from.x - event.clientX) / side, (from.y - event.clientY) / side));
    },
    onPointerUp: release,
    onPointerCancel: release,
    onWheel: (event: WheelEvent) => change((before, size) => zoomCrop(size, before, before.zoom * Math.exp(-event.deltaY / 500))),
  };
}

function CropSquare({ picture, crop, change }: CropProps): ReactElement {
  const { t } = useTranslation('account');
  const canvas = useRef<HTMLCanvasElement>(null);
  const handlers = useCropHandlers(change);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || !picture || !crop) return;
    drawCrop(context, picture, picture, crop, context.canvas.width);
  }, [picture, crop]);
  const scale = Math.min(2, globalThis.devicePixelRatio || 1);
  return (
    <Box
      component="canvas"
      ref={canvas}
      width={edge * scale}
      height={edge * scale}
      tabIndex={0}
      role="application"
      aria-label={t('avatar.square')}
      hidden={!picture}
      {...handlers}
      sx={{
        width: edge,
        height: edge,
        maxWidth: 1,
        borderRadius: '50%',
        cursor: 'grab',
        touchAction: 'none',
        bgcolor: 'action.hover',
        border: 1,
        borderColor: 'divider',
        '&:active': { cursor: 'grabbing' },
        '&[hidden]': { display: 'none' },
      }}
    />
  );
}

function ZoomSlider({ crop, change }: Omit<CropProps, 'picture'>): ReactElement {
  const { t } = useTranslation('account');
  const id = useId();
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, width: edge }}>
      <Typography component="label" htmlFor={id} variant="body2" sx={{ flex: 'none' }}>
        {t('avatar.zoom')}
      </Typography>
      <Box
        component="input"
        id={id}
        type="range"
        min={1}
        max={mostZoom}
        step={0.05}
        disabled={!crop}
        value={crop?.zoom ?? 1}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => {
          const zoom = Number(event.target.value);
          change((before, size) => zoomCrop(size, before, zoom));
        }}
        sx={{ flex: 1, minWidth: 0, accentColor: 'var(--primary)' }}
      />
    </Box>
  );
}

/** Crops a square from an image and saves it as the person's picture. `onClose` receives a message if the file cannot be opened. */
export default function AvatarDialog({ file, onClose }: { readonly file: File; readonly onClose: (error?: string) => void }): ReactElement {
  const { t } = useTranslation('account');
  const dispatch = useAppDispatch();
  const titleId = useId();
  const { picture, crop, change } = usePicture(file, () => onClose(t('avatar.notAnImage')));
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [save, { isLoading }] = useChangeAvatarMutation();

  const keep = async () => {
    if (!picture || !crop || isLoading) return;
    setFailure(null);
    const { error } = await save({ body: { png: await pngOf(picture, picture, crop) } });
    if (isFailure(error)) return setFailure(error);
    dispatch(noticeShown({ tone: 'good', message: { key: 'account:avatar.saved' } }));
    onClose();
  };
  return (
    <Dialog open onClose={() => onClose()} aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>{t('avatar.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, justifyItems: 'center' }}>
        {failure && <ErrorPanel failure={failure} title={t('avatar.failed')} />}
        {!picture && <Bone w={edge} h={edge} />}
        <CropSquare picture={picture} crop={crop} change={change} />
        <ZoomSlider crop={crop} change={change} />
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('avatar.hint')}
        </Typography>
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={() => onClose()}>{t('avatar.cancel')}</Button>
        <Button variant="contained" onClick={() => void keep()} disabled={!crop} aria-busy={isLoading}>
          {t('avatar.keep')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
