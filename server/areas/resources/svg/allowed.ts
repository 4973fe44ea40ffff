/** What an SVG may contain; everything else is removed. Names are those of SVG 2, CSS and SMIL; XML distinguishes case. */

const list = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/**
 * Animations are allowed because icons use them, but only of attributes that cannot refer to anything (see `isAnimated`): `<set attributeName="href">` is the
 * way in which animations run scripts.
 */
export const animations = list('animate animateMotion animateTransform set');

/** Without `script`, `foreignObject`, `a`, `view`, `feImage`, `metadata` and all elements of HTML. */
export const elements: ReadonlySet<string> = new Set([
  ...animations,
  ...list(`
    svg g defs symbol use switch title desc style path rect circle ellipse line polyline polygon image
    text tspan textPath linearGradient radialGradient stop pattern clipPath mask marker mpath filter
    feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood
    feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`),
]);

/** Removed, but what they contain stays: a link in an image leads nowhere. */
export const unwrapped = list('a');

/** Elements with text. HTML parsers read elements inside `title` and `desc` as HTML, so these contain nothing else. */
export const textElements = list('text tspan textPath title desc');
export const textOnly = list('title desc style');

/** Properties of style sheets and `style`; those of SVG 1.1 are attributes too. No property here loads anything but a fragment of the same file. */
export const properties = list(`
  alignment-baseline animation animation-delay animation-direction animation-duration animation-fill-mode animation-iteration-count animation-name
  animation-play-state animation-timing-function baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters color-rendering
  cx cy direction display dominant-baseline enable-background fill fill-opacity fill-rule filter flood-color flood-opacity font font-family font-feature-settings
  font-size font-size-adjust font-stretch font-style font-variant font-variant-caps font-variant-ligatures font-variant-numeric font-variant-position font-variation-settings font-weight glyph-orientation-horizontal glyph-orientation-vertical height
  image-rendering isolation kerning letter-spacing lighting-color line-height marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity
  overflow paint-order pointer-events r rotate rx ry scale shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align text-anchor text-decoration text-decoration-color text-decoration-line text-decoration-style text-indent text-orientation text-overflow text-rendering
  text-transform transform transform-box transform-origin transition translate unicode-bidi vector-effect visibility white-space width will-change word-spacing
  writing-mode x y`);

/** Attributes whose values are numbers, lengths, lists, keywords, paths or times. */
export const dataAttributes = list(`
  accumulate additive amplitude attributeName attributeType azimuth baseFrequency begin bias by calcMode clipPathUnits d diffuseConstant divisor dur dx dy edgeMode elevation end
  exponent filterRes filterUnits from fr fx fy gradientTransform gradientUnits in in2 intercept k1 k2 k3 k4 kernelMatrix kernelUnitLength keyPoints keySplines
  keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits max method min mode numOctaves offset operator order
  orient origin path pathLength patternContentUnits patternTransform patternUnits points pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio
  primitiveUnits radius refX refY repeatCount repeatDur restart result role scale seed side slope spacing specularConstant specularExponent spreadMethod
  startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength to type values viewBox x1 x2 xChannelSelector y1
  y2 yChannelSelector z`);

/** Attributes with any text. */
export const textAttributes = list('aria-description aria-label aria-roledescription class lang xml:lang xml:space');
/** Attributes with ids. */
export const idAttributes = list('aria-describedby aria-details aria-labelledby id');
export const keywordAttributes = list('aria-hidden focusable media');

/** Attributes that refer to an element of the same file. `image` embeds its picture. */
export const referring = list('use textPath linearGradient radialGradient pattern filter mpath animate animateMotion animateTransform set');

/** Whether an animation may change the attribute. */
export const isAnimated = (attribute: string): boolean => (properties.has(attribute) || dataAttributes.has(attribute)) && attribute !== 'attributeName';

/** Functions in values of properties; `url` is handled apart. */
export const functions = list(`
  blur brightness calc circle clamp color color-mix contrast cubic-bezier drop-shadow ellipse grayscale hsl hsla hue-rotate hwb inset invert lab lch
  linear matrix matrix3d max min oklab oklch opacity perspective polygon rect rgb rgba rotate rotate3d rotatex rotatey rotatez saturate scale scale3d scalex scaley
  scalez sepia skew skewx skewy steps translate translate3d translatex translatey translatez var`);

/** Limits of a file; a larger one is not an image but a file for download. Lengths in characters. */
export const svgLimits = {
  /** Nested elements. */
  depth: 100,
  elements: 50_000,
  /** Elements after each reference is replaced by what it refers to: `use` and patterns multiply. */
  expanded: 250_000,
  /** References that follow each other. */
  chain: 1000,
  attributes: 200,
  /** Text outside style sheets, and style sheets. */
  text: 256 * 1024,
  styles: 256 * 1024,
  /** An attribute with a path, list or picture; any other attribute. Longer ones are removed. */
  longAttribute: 1024 * 1024,
  attribute: 16 * 1024,
  /** Embedded pictures, decoded, together in bytes. */
  pictures: 1024 * 1024,
  /** Parts that are listed as removed; the rest is counted. */
  removed: 500,
} as const;
export const longAttributes = list('d points values path href style keyTimes keySplines tableValues kernelMatrix stroke-dasharray x y dx dy rotate');
