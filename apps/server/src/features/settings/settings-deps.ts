import type { Common } from '#common-deps.ts'

/** What the settings need; made once in app/. */
export interface SettingsDeps extends Common<'db' | 'signal'> {
  config: {
    mapAccessKey: string
    captcha: boolean
    /** '': passkeys cannot be used. */
    passkeyOrigin(): string
    pwa: boolean
    version: string
    /** Ports of the broker; 0 until it listens. */
    mqtt(): { port: number; tlsPort: number }
  }
}
