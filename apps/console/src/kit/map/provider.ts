/** The provider's map (spec 7): its script is loaded by the session when an access key exists; here is what we use of it. */
import type { MapScope } from './map-scope.ts'

/** As long as there is nothing to show: middle and the provider's zoom. */
export const providerWhole: Record<MapScope, { center: readonly [number, number]; zoom: number }> = {
  china: { center: [104.5, 36], zoom: 5 },
  world: { center: [10, 25], zoom: 3 },
}

export interface ProviderPoint {
  lng: number
  lat: number
}

interface Overlay {
  addEventListener(name: string, listener: (event: { point: ProviderPoint }) => void): void
  enableDragging?(): void
  setTitle?(text: string): void
}

export interface ProviderMap {
  centerAndZoom(point: ProviderPoint, zoom: number): void
  setViewport(points: ProviderPoint[]): void
  enableScrollWheelZoom(on: boolean): void
  addOverlay(overlay: Overlay): void
  clearOverlays(): void
  addEventListener(name: string, listener: (event: { point: ProviderPoint }) => void): void
}

export interface ProviderApi {
  Map: new (host: HTMLElement) => ProviderMap
  Point: new (lng: number, lat: number) => ProviderPoint
  Marker: new (point: ProviderPoint) => Overlay
}

/** Undefined without a key, before the script has come, or when it could not be loaded: then the bundled map serves. */
export function providerApi(): ProviderApi | undefined {
  const found = (globalThis as { BMap?: Partial<ProviderApi> }).BMap
  return found?.Map && found.Point && found.Marker ? (found as ProviderApi) : undefined
}
