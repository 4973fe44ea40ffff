/** The package has types for its parser only; this module uses its table of models. */
declare module 'which-browser/src/data/DeviceModels.js' {
  const DeviceModels: { cleanup(model: string): string };
  export default DeviceModels;
}
declare module 'which-browser/data/models-android.js' {
  const models: { readonly ANDROID_MODELS: Readonly<Record<string, unknown>> };
  export default models;
}
declare module 'which-browser/data/indices/models-android.js' {
  const index: { readonly ANDROID_INDEX: Readonly<Record<string, readonly (string | number)[]>> };
  export default index;
}
