/** The settings of an app in room tests; and of the template that their databases are copied from. */
import { type Config, readConfig } from '#app/config.ts'
import { makeKeyRing } from '#db/sealed.ts'

export const adminName = 'administrator'
export const adminPassword = 'Admin-2026'

/** Servers that share a database share it; and so do the template and the databases that are copied from it. */
export const testSecretKey = Buffer.alloc(32, 7)
/** For rooms without an app. */
export const testKeys = makeKeyRing([testSecretKey])

export const testConfig = (filesDir: string, changes: Partial<Config> = {}): Config => ({
  ...readConfig({
    CAPTCHA: 'off',
    ADMIN_PASSWORD: adminPassword,
    TRUST_PROXY: 'on',
    HOST: '127.0.0.1',
    PORT: '0',
    MQTT_PORT: '0',
  }),
  filesDir,
  dataDir: filesDir,
  secretKey: testSecretKey,
  ...changes,
})
