/** Files that may be fetched once: credentials must not lie about. */
export const oneTimeFolder = 'once/'
/** Nobody came for it: it goes anyway. */
export const oneTimeSeconds = 3600

export const isOneTime = (path: string): boolean => path.startsWith(oneTimeFolder)
