export type { AccessCache } from './access-cache.ts'
