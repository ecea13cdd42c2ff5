/** The maps provider of spec 7; without an access key nothing leaves the installation. */

import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { readConfig } from '@ithings/contract/features/settings.ts'
import { t } from '@ithings/contract/text.ts'
import { writeCache } from '#kit/json-cache.ts'

/** spec 3: the name of the map data in browser storage. */
const mapDataKey = 'mapData'

export function keepMapData(config: DataOf<typeof readConfig>): void {
  try {
    writeCache(mapDataKey, config)
  } catch (error) {
    // The map is left out then; signing in must not fail because of it.
    reportError(error)
  }
}

/** spec 7: from a maps provider over plain http with the key in the query. */
export const mapScriptAddress = (accessKey: string): string =>
  `http://api.map.baidu.com/api?v=3.0&ak=${encodeURIComponent(accessKey)}&callback=onMapScriptReady`

/** spec 7: a policy tag is added on https pages, so that plain http addresses are upgraded there. */
export function upgradeInsecureRequests(): void {
  if (window.location.protocol !== 'https:') return
  const meta = document.createElement('meta')
  meta.httpEquiv = 'Content-Security-Policy'
  meta.content = 'upgrade-insecure-requests'
  document.head.append(meta)
}

let loaded = false

export function loadMapScript(accessKey: string): void {
  if (loaded) return
  loaded = true
  // The provider calls this name when its own parts are there.
  Object.assign(window, { onMapScriptReady: () => undefined })
  const script = document.createElement('script')
  script.src = mapScriptAddress(accessKey)
  script.async = true
  // spec 8: map script load errors are only logged.
  script.onerror = () => reportError(new Error(t('地图脚本加载失败')))
  document.head.append(script)
}
