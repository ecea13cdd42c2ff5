import type { Db } from '#db/schema.ts'
import type { Signal } from '#ports/signal.ts'

/** What the settings need; made once in app/. */
export interface SettingsDeps {
  db: Db
  signal: Signal
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
