import type { Common } from '#common-deps.ts'

export type GatewaysDeps = Common<'db' | 'clock' | 'signal' | 'bus'>
