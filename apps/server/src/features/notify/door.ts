export { maskAddress } from './masked-settings.ts'
export type { Notice } from './notice.ts'
export type { NotifyKit } from './notify-kit.ts'
export { queueNotice } from './queue-notice.ts'
