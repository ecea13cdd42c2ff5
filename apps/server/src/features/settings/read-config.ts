import { localZone } from '@ithings/contract/zone-days.ts'
import type { SettingsDeps } from './settings-deps.ts'
import { readSettingRow } from './store.ts'

/** http-api.md 2.8: what the console needs before anybody has signed in, so nothing secret but the map key. */
export async function readConfig({ db, config }: SettingsDeps) {
  const { title, logo } = await readSettingRow(db)
  return {
    map: { mode: 'baidu', accessKey: config.mapAccessKey },
    oss: { host: '/api/v1/oss' },
    title,
    logo,
    version: config.version,
    captcha: config.captcha,
    passkeyOrigin: config.passkeyOrigin(),
    pwa: config.pwa,
    mqtt: config.mqtt(),
    timeZone: localZone(),
  }
}
