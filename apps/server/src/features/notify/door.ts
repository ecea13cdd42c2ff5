export { maskAddress } from './masked-settings.ts'
export type { Notice } from './notice.ts'
export type { NotifyDeps } from './notify-deps.ts'
export { queueNotice } from './queue-notice.ts'
